import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** A temporary folder outside the clone, so that nothing in it finds the clone's packages. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'atrium-tools-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Copies files and folders of the clone to the same place in another folder. A missing one is an error. */
export function copyAll(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    if (!existsSync(join(from, path))) throw new Error(`${path} is missing: run \`npm ci\` and \`npm run build\``)
    cpSync(join(from, path), join(to, path), { recursive: true })
  }
}

export function writeText(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export function writeJson(file: string, value: object): void {
  writeText(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Packs a folder as npm does, with the `files` of its manifest; the same bytes each time. Returns the archive. */
export function npmPack(folder: string, target: string): string {
  mkdirSync(target, { recursive: true })
  const listed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', target], folder))
  // npm 12 returns an object by package name, older versions a list.
  const [{ filename }] = Object.values(listed) as [{ filename: string }]
  return join(target, filename)
}

/** Packs one folder of `parent` with the names sorted and without times and owners: the same bytes each time. */
export function tar(parent: string, folder: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true })
  const same = [
    '--sort=name',
    '--mtime=1985-10-26T08:15:00Z',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
  ]
  run('tar', [...same, '--use-compress-program=gzip -9n', '-cf', `${target}.part`, folder], parent)
  renameSync(`${target}.part`, target)
}

/** Runs a program with this Node first in the path; throws what it printed if it fails. */
export function run(program: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stderr}${stdout}`.trim()}`)
}
