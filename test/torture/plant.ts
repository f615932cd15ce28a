import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Planted } from './harness.ts'

export const root = join(import.meta.dirname, '..', '..')

/** The files of a build. The console is missing until it is built, and older builds lack files of later ones. */
const parts = [
  'bin',
  'src',
  'test',
  'tools',
  'assets',
  'collections',
  'deploy',
  'console/src',
  'console/dist',
  'client/src',
  'client/README.md',
  'client/tsconfig.json',
  'demo',
  'docs',
  'package.json',
  'bench/package.json',
  'client/package.json',
  'console/package.json',
  'package-lock.json',
  'names.json',
  'tsconfig.json',
  'CHANGELOG.md',
  'SECURITY.md',
]

/** The service and its tests. Modules find each other by their real paths, so a link would lead back to the original. */
const program = ['bin', 'src', 'test', 'package.json', 'package-lock.json']

/**
 * Copies the program, or another build, with the bug in it. The sources themselves have no switch for it. A bug in the
 * service needs no copy of the other parts: they are links to the original.
 */
export function plant({ name, file, find, replace }: Planted, from = root): Disposable & { build: string } {
  const build = mkdtempSync(join(tmpdir(), 'atrium-planted-'))
  const copied = file.startsWith('src/') ? program : parts
  for (const part of parts.filter((one) => existsSync(join(from, one)))) {
    const [original, target] = [join(from, part), join(build, part)]
    if (copied.includes(part)) cpSync(original, target, { recursive: true })
    else {
      mkdirSync(dirname(target), { recursive: true })
      symlinkSync(original, target)
    }
  }
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  const text = readFileSync(join(build, file), 'utf8')
  const places = text.split(find).length - 1
  if (places !== 1) throw new Error(`The planted bug "${name}" fits ${places} places in ${file}; it must fit one`)
  writeFileSync(
    join(build, file),
    text.replace(find, () => replace),
  )
  return { build, [Symbol.dispose]: () => rmSync(build, { recursive: true, force: true }) }
}
