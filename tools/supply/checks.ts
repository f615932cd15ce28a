import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { badness } from './known-bad.ts'
import { type Lockfile, type Manifest, type Package, readLockfile, readManifest } from './lockfile.ts'

/** Permitted licenses of third-party code in production. */
const licences = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'CC0-1.0', 'BlueOak-1.0.0']

const maxProductionPackages = 50

export interface Supply {
  manifest: Manifest
  /** Manifests by folder. */
  workspaces: Map<string, Manifest>
  lockfile: Lockfile
  /** Reasons for direct production dependencies, from the decision record. */
  reasons: Map<string, string>
}

export function readSupply(folder: string): Supply {
  const decision = readFileSync(join(folder, 'docs/decisions/0003-production-dependencies.md'), 'utf8')
  const manifest = readManifest(folder)
  const workspaces = (manifest.workspaces ?? []).map((name): [string, Manifest] => [
    name,
    readManifest(join(folder, name)),
  ])
  return { manifest, workspaces: new Map(workspaces), lockfile: readLockfile(folder), reasons: reasonsIn(decision) }
}

/** Parses rows like ``| `ajv`, `ajv-formats` | why |``. */
function reasonsIn(text: string): Map<string, string> {
  const rows = Array.from(text.matchAll(/^\| (`.+?`) \| (.+) \|$/gm), ([, names = '', reason = '']) =>
    Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']): [string, string] => [name, reason]),
  )
  return new Map(rows.flat())
}

/** Checks of the project; each returns one line per fault. */
export const checks: Record<string, (supply: Supply) => string[]> = {
  'without a reason': ({ manifest, reasons }) => {
    const wanted = productionNames(manifest)
    return [
      ...wanted.filter((name) => !reasons.has(name)).map((name) => `${name} has no reason in docs/decisions/0003`),
      ...[...reasons.keys()].filter((name) => !wanted.includes(name)).map((name) => `${name} has a reason and no use`),
    ]
  },
  'too many in production': ({ lockfile }) => {
    const count = productionPackages(lockfile).length
    return count <= maxProductionPackages ? [] : [`${count} packages, and at most ${maxProductionPackages} are allowed`]
  },
  // npm installs the dependencies of all workspaces.
  'in production for a workspace': ({ workspaces }) =>
    [...workspaces].flatMap(([folder, manifest]) =>
      productionNames(manifest).map((name) => `${name} of ${folder}/package.json is no development dependency`),
    ),
  unpinned: ({ manifest, workspaces, lockfile: { packages } }) =>
    [['.', manifest] as const, ...workspaces].flatMap(
      ([folder, { dependencies, optionalDependencies, devDependencies }]) =>
        Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).flatMap(([name, version]) => {
          if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
            return [`${name} is asked for as "${version}", not by one version`]
          const locked = packages.find(({ path }) => path === `node_modules/${name}`)?.version
          if (locked === version) return []
          return [`${name} is ${version} in ${folder}/package.json and ${locked} in package-lock.json`]
        }),
    ),
  'without integrity': ({ lockfile: { packages } }) =>
    packages
      .filter(
        (one) => one.isLink || !one.integrity?.startsWith('sha512-') || /^(?!https:)/.test(one.resolved ?? 'https:'),
      )
      .map((one) => `${titleOf(one)} cannot be checked against a SHA-512, or comes from elsewhere`),
  'install scripts': ({ manifest: { allowScripts = {} }, lockfile: { packages } }) =>
    packages
      .filter((one) => one.hasInstallScript && (one.isProduction || allowScripts[one.name] !== false))
      .map((one) => `${titleOf(one)} runs a script when it is installed`),
  'licences not allowed': ({ lockfile: { packages } }) =>
    packages
      .filter((one) => one.isProduction && !isAllowed(one.license ?? ''))
      .map((one) => `${titleOf(one)} is under ${one.license ?? 'no licence'}`),
  deprecated: ({ lockfile: { packages } }) =>
    packages
      .filter((one) => one.isProduction && one.deprecated !== undefined)
      .map((one) => `${titleOf(one)} is deprecated: ${one.deprecated}`),
  'known bad': ({ lockfile: { packages } }) =>
    packages.flatMap((one) => {
      const bad = badness(one.name, one.version)
      return bad === undefined ? [] : [`${titleOf(one)}: ${bad.why} (${bad.source})`]
    }),
}

/** Evaluates an SPDX expression: one alternative of OR must be permitted, and all parts of AND. */
function isAllowed(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => licences.includes(one)))
}

export function productionNames({ dependencies, optionalDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies }).sort()
}

export function productionPackages({ packages }: Lockfile): Package[] {
  return packages.filter(({ isProduction }) => isProduction)
}

export function titleOf({ name, version }: Package): string {
  return `${name}@${version}`
}
