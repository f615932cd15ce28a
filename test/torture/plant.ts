import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Copies the program, or another build, with the bug in it. The sources themselves have no switch for it. */
export function plant({ name, file, find, replace }: Planted, from = root): Disposable & { build: string } {
  const build = mkdtempSync(join(tmpdir(), 'atrium-planted-'))
  for (const part of parts) {
    if (existsSync(join(from, part))) cpSync(join(from, part), join(build, part), { recursive: true })
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
