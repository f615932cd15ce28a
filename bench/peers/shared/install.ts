import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { peerFolder, sourceFolder } from './folders.ts'
import { run } from './run.ts'

/**
 * Installs the pinned packages of a peer if they are missing, without install scripts. `compile` names the packages
 * that need theirs: native modules whose npm package contains no binary.
 */
export async function install(name: string, progress: (line: string) => void, compile: string[] = []): Promise<string> {
  const folder = peerFolder(name)
  const lock = join(sourceFolder(name), 'package-lock.json')
  const wanted = createHash('sha256').update(readFileSync(lock)).update(process.version).digest('hex')
  const stamp = join(folder, 'installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(dirname(lock), file), join(folder, file))
  progress('npm ci')
  await npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  for (const item of compile) {
    progress(`compiling ${item}`)
    await npm(folder, ['rebuild', item, '--build-from-source', ...headers(folder), '--foreground-scripts'])
  }
  writeFileSync(stamp, wanted)
  return folder
}

/** Returns the Node among a peer's packages, if it needs another version than this one. */
export function nodeOf(folder: string): string {
  const own = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(own) ? own : process.execPath
}

/** Runs npm on the peer's Node, so that native modules are compiled for it. */
async function npm(cwd: string, args: string[]): Promise<void> {
  const path = `${dirname(nodeOf(cwd))}:${process.env.PATH}`
  await run('npm', args, { cwd, env: { ...process.env, PATH: path } }).catch((error) => {
    throw new Error(`npm ${args.slice(0, 2).join(' ')} failed: ${error.message}`)
  })
}

/** Uses the headers of that Node, to avoid a download. */
function headers(folder: string): string[] {
  const home = join(dirname(nodeOf(folder)), '..')
  return existsSync(join(home, 'include', 'node', 'node.h')) ? [`--nodedir=${home}`] : []
}

export function installedVersion(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
}
