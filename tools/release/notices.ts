import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productionPackages } from '../supply/checks.ts'
import { type Package, placeOf, readLockfile } from '../supply/lockfile.ts'
import type { Project } from './names.ts'

/** Packages whose files are copied into the package: the viewer of the API reference. */
const copied = ['@scalar/fastify-api-reference']

/** Returns the licenses of all packages whose code is in the bundle, the console and the API reference. */
export function notices({ root }: Project): string {
  const { packages } = readLockfile(root)
  const byPath = new Map(packages.map((one) => [one.path, one]))
  const found = new Map<string, Package>()
  const add = (path: string | undefined) => {
    const one = path === undefined ? undefined : byPath.get(path)
    if (one === undefined || found.has(one.path)) return
    found.set(one.path, one)
    one.needs.forEach(add)
  }
  const isRuntime = ({ name }: Package) => /^node-(linux|darwin|win)-/.test(name)
  for (const one of productionPackages({ lockfileVersion: 3, packages })) if (!isRuntime(one)) add(one.path)
  for (const name of consoleImports(root)) add(placeOf(name, 'console', byPath))
  for (const name of copied) found.set(name, byPath.get(`node_modules/${name}`) as Package)
  const texts = [...found.values()].map((one) => noticeOf(root, one)).sort()
  return `Atrium contains code of these packages.\n\n${texts.join('\n')}`
}

/** Returns the packages that the sources of the console import. */
function consoleImports(root: string): Set<string> {
  const files = globSync('console/src/**/*.{ts,tsx}', { cwd: root })
  const imports = files.flatMap((file) =>
    Array.from(
      readFileSync(join(root, file), 'utf8').matchAll(/^import .*?'((?:@[\w-]+\/)?[\w-]+)[^']*'/gm),
      ([, name = '']) => name,
    ),
  )
  return new Set(imports)
}

function noticeOf(root: string, { name, version, license, path }: Package): string {
  const folder = join(root, path)
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${texts.join('\n\n') || 'The package has no license file.'}\n`
}
