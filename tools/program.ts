// npm run build: packs the service with its packages into a few files under dist/, which start in half the time that
// 850 modules take. With --if-stale only when that was not done for these sources. Atrium runs without it as well.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packedFolder } from '../bin/program.mjs'
import { placesOf } from './program/places.ts'

const root = join(import.meta.dirname, '..')
/** A service that still runs an older one may yet load a part of it. */
const olderToKeep = 1

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await packWhenStale()
  else await pack()
}

/** A production install has no tools to pack with: there the sources are run as they are. */
export async function packWhenStale(): Promise<void> {
  if (existsSync(packedFolder(root))) return
  await pack().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  })
}

/** It is there whole or not at all. Of two who do it at once the first is enough. */
async function pack(): Promise<void> {
  const { rolldown } = await import('rolldown')
  const folder = packedFolder(root)
  const unfinished = `${folder}.${process.pid}`
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    // An optional add-on of pg, for an installation that has it.
    external: ['pg-native'],
    plugins: [placesOf(join(root, 'src'), unfinished)],
    experimental: { nativeMagicString: true },
  })
  await bundle.write({ dir: unfinished, format: 'esm', sourcemap: true, comments: false, chunkFileNames: '[name].js' })
  await bundle.close()
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  removeOlder()
}

/** By the time at which they were made. */
function removeOlder(): void {
  const dist = join(root, 'dist')
  const made = readdirSync(dist).map((name) => join(dist, name))
  const newestFirst = made.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const folder of newestFirst.slice(1 + olderToKeep)) rmSync(folder, { recursive: true, force: true })
}
