// npm run check:supply: checks third-party packages and their reasons. With --write it also updates docs/sbom.json.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checks, productionNames, productionPackages, readSupply, type Supply } from './supply/checks.ts'
import type { Package } from './supply/lockfile.ts'
import { sbomText } from './supply/sbom.ts'
import { tell } from './tell.ts'

const root = join(import.meta.dirname, '..')
const sbomFile = join(root, 'docs/sbom.json')
const auditLimitSeconds = 20

const supply = readSupply(root)
if (process.argv.includes('--write')) writeFileSync(sbomFile, sbomText(supply))
reasons(supply)
const faults = Object.entries(checks).flatMap(([title, check]) => tell(title, check(supply)))
const isCurrent = readFileSync(sbomFile, 'utf8') === sbomText(supply)
faults.push(...tell('bill of materials out of date', isCurrent ? [] : ['run npm run check:supply -- --write']))
faults.push(...advisories())
process.exitCode = faults.length > 0 ? 1 : 0

/** A package required by several others counts for each of them. */
function reasons({ manifest, lockfile, reasons }: Supply): void {
  const packages = new Map(productionPackages(lockfile).map((one) => [one.path, one]))
  console.log(`${packages.size} packages run in production:`)
  for (const name of productionNames(manifest)) {
    const more = below(`node_modules/${name}`, packages).size - 1
    console.log(`  ${name}${more > 0 ? ` and ${more} that it needs` : ''}: ${reasons.get(name) ?? 'NO REASON'}`)
  }
}

function below(path: string, packages: Map<string, Package>, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const needed of packages.get(path)?.needs ?? []) below(needed, packages, found)
  return found
}

/** Also checks the registry's advisories if they are reachable; tests rely only on the list in known-bad.ts. */
function advisories(): string[] {
  const options = { cwd: root, encoding: 'utf8', timeout: auditLimitSeconds * 1000 } as const
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], options)
  try {
    const { vulnerabilities } = JSON.parse(stdout)
    if (vulnerabilities === undefined) throw new Error('no response')
    return tell('open advisories', Object.keys(vulnerabilities))
  } catch {
    console.log('open advisories: the service cannot be reached from here')
    return []
  }
}
