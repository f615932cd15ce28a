/**
 * Versions that must not be installed, maintained by hand so that the check works offline. Malicious releases are listed
 * by exact version, vulnerabilities that can affect such a service up to the first fixed version, and unmaintained
 * packages entirely, because not every registry reports deprecations.
 */
export interface KnownBad {
  name: string
  /** Exact versions, or a range whose end is exclusive. */
  versions: string[] | { from: string; below: string }
  why: string
  source: string
}

const stolen = 'published by thieves of a maintainer’s account'
const qix = 'https://github.com/debug-js/debug/issues/1005'

function published(source: string, versions: Record<string, string[]>): KnownBad[] {
  return Object.entries(versions).map(([name, list]) => ({ name, versions: list, why: stolen, source }))
}

function hole(name: string, from: string, below: string, why: string, advisory: string): KnownBad {
  const place = advisory.startsWith('CVE') ? 'https://nvd.nist.gov/vuln/detail' : 'https://github.com/advisories'
  return { name, versions: { from, below }, why, source: `${place}/${advisory}` }
}

export const knownBad: readonly KnownBad[] = [
  ...published(qix, {
    'ansi-regex': ['6.2.1'],
    'ansi-styles': ['6.2.2'],
    backslash: ['0.2.1'],
    chalk: ['5.6.1'],
    'chalk-template': ['1.1.1'],
    color: ['5.0.1'],
    'color-convert': ['3.1.1'],
    'color-name': ['2.0.1'],
    'color-string': ['2.1.1'],
    debug: ['4.4.2'],
    'error-ex': ['1.3.3'],
    'has-ansi': ['6.0.1'],
    'is-arrayish': ['0.3.3'],
    'simple-swizzle': ['0.2.3'],
    'slice-ansi': ['7.1.1'],
    'strip-ansi': ['7.1.1'],
    'supports-color': ['10.2.1'],
    'supports-hyperlinks': ['4.1.1'],
    'wrap-ansi': ['9.0.1'],
  }),
  ...published('https://github.com/axios/axios/issues/10604', {
    axios: ['1.14.1', '0.30.4'],
    'plain-crypto-js': ['4.2.0', '4.2.1'],
  }),
  ...published('https://github.com/dominictarr/event-stream/issues/116', {
    'event-stream': ['3.3.6'],
    'flatmap-stream': ['0.1.1'],
  }),
  ...published('https://github.com/advisories/GHSA-pjwm-rvh2-c87w', { 'ua-parser-js': ['0.7.29', '0.8.0', '1.0.0'] }),
  hole('fastify', '0.0.0', '5.7.2', 'a tab in Content-Type switches validation off', 'GHSA-jx2c-rxcm-jvmq'),
  hole('fastify', '0.0.0', '5.8.3', 'anyone can say which host and protocol was asked', 'GHSA-444r-cwp2-x5xf'),
  hole('find-my-way', '0.0.0', '8.2.2', 'two parameters in one segment take for ever', 'GHSA-rrr8-f88r-h8q6'),
  hole('find-my-way', '9.0.0', '9.0.1', 'two parameters in one segment take for ever', 'GHSA-rrr8-f88r-h8q6'),
  hole('fast-uri', '0.0.0', '3.1.3', 'hosts are read in two ways', 'CVE-2026-13676'),
  hole('fast-uri', '4.0.0', '4.0.1', 'hosts are read in two ways', 'CVE-2026-13676'),
  hole('ajv', '7.0.0', '8.18.0', 'patterns from data take for ever', 'GHSA-2g4f-4pwh-qvx6'),
  hole('undici', '7.0.0', '7.18.2', 'endless layers of compression', 'GHSA-g9mf-h72j-4rw9'),
  hole('yaml', '2.0.0', '2.2.2', 'a document can end the process', 'GHSA-f9xv-q969-pqx4'),
  hole('nanoid', '0.0.0', '3.3.8', 'ids that can be foretold', 'GHSA-mwcw-c2x4-8c55'),
  hole('nanoid', '4.0.0', '5.0.9', 'ids that can be foretold', 'GHSA-mwcw-c2x4-8c55'),
  {
    name: 'prom-client',
    versions: { from: '0.0.0', below: '1000.0.0' },
    why: 'no longer maintained; continued as @prometheus-io/client',
    source: 'https://github.com/prometheus/client_js/releases/tag/v0.16.0',
  },
  hole('cookie', '0.0.0', '0.7.0', 'names and paths escape their field', 'GHSA-pxg6-pf52-xh8x'),
  hole('semver', '7.0.0', '7.5.2', 'a range can take for ever', 'GHSA-c2qf-rxjj-qqgw'),
]

export function badness(name: string, version: string): KnownBad | undefined {
  return knownBad.find((bad) => bad.name === name && covers(bad.versions, version))
}

function covers(versions: KnownBad['versions'], version: string): boolean {
  if (Array.isArray(versions)) return versions.includes(version)
  return compare(version, versions.from) >= 0 && compare(version, versions.below) < 0
}

/** Compares versions numerically, part by part; a prerelease counts as its release. */
function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((version) =>
    version
      .replace(/[-+].*/, '')
      .split('.')
      .map(Number),
  )
  const at = [0, 1, 2].find((index) => a?.[index] !== b?.[index])
  return at === undefined ? 0 : (a?.[at] ?? 0) - (b?.[at] ?? 0)
}
