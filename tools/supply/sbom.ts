import { productionNames, productionPackages, type Supply, titleOf } from './checks.ts'
import { type Package, placeOf } from './lockfile.ts'

/**
 * Creates the software bill of materials of production (CycloneDX 1.6), from the lockfile alone, without time or serial
 * number, so that the same packages give the same bytes on every machine.
 */
function sbomOf({ manifest, lockfile }: Supply): object {
  const packages = productionPackages(lockfile)
  const refs = new Map(packages.map((one) => [one.path, refOf(one.name, one.version)]))
  const own = refOf(manifest.name, manifest.version)
  const direct = productionNames(manifest).map((name) => placeOf(name, '', refs) ?? '')
  const graph = new Map([[own, refsOf(direct, refs)]])
  for (const { path, needs } of packages) graph.set(refs.get(path) ?? '', refsOf(needs, refs))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...named('application', manifest), description: manifest.description } },
    components: unique(packages).map(componentOf),
    dependencies: [...graph].map(([ref, dependsOn]) => ({ ref, dependsOn })).sort(by(({ ref }) => ref)),
  }
}

/** Formats the document as in docs/sbom.json. */
export function sbomText(supply: Supply): string {
  return `${JSON.stringify(sbomOf(supply), null, 2)}\n`
}

function componentOf(one: Package): object {
  const [algorithm, hash = ''] = one.integrity?.split('-') ?? []
  return {
    ...named('library', one),
    scope: one.isOptional ? 'optional' : 'required',
    hashes: algorithm === 'sha512' ? [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] : [],
    licenses: one.license === undefined ? [] : [licenceOf(one.license)],
  }
}

function named(type: string, { name, version }: { name: string; version: string }): object {
  return { type, 'bom-ref': refOf(name, version), name, version, purl: refOf(name, version) }
}

function licenceOf(licence: string): object {
  return licence.includes(' ') ? { expression: licence } : { license: { id: licence } }
}

/** The package URL (purl) also serves as the reference within the document. */
function refOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function refsOf(paths: string[], refs: Map<string, string>): string[] {
  return paths
    .map((path) => refs.get(path))
    .filter((ref) => ref !== undefined)
    .sort()
}

/** Merges copies of one version into one component. */
function unique(packages: Package[]): Package[] {
  return [...new Map(packages.map((one) => [titleOf(one), one])).values()].sort(by(titleOf))
}

function by<T>(key: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : 1)
}
