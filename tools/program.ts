import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packedFolder } from '../bin/program.mjs'
import { placesOf } from './program/places.ts'
import type { Build } from './stale.ts'

const root = join(import.meta.dirname, '..')
/** Keeps older bundles for a while: a running service may still load a part of one. */
const olderToKeep = 1

/**
 * Bundles the service and its packages into a few files under dist/, which start in half the time of 850 modules. A
 * production install has no bundler and runs the sources.
 */
export const programBuild: Build = { isCurrent: () => existsSync(packedFolder(root)), run: pack }

/** Renames the bundle into place, so that it is complete or absent; of two concurrent builds, the first wins. */
async function pack(): Promise<void> {
  const folder = packedFolder(root)
  const unfinished = `${folder}.${process.pid}`
  await bundleInto(root, unfinished)
  if (existsSync(folder)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, folder)
  removeOlder()
}

/** Bundles the sources of `root` into a folder. Its code expects the other files two folders above itself. */
export async function bundleInto(root: string, folder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    // Optional dependency of pg.
    external: ['pg-native'],
    plugins: [placesOf(join(root, 'src'), join(root, 'dist/program'))],
    experimental: { nativeMagicString: true },
  })
  await bundle.write({ dir: folder, format: 'esm', sourcemap: true, comments: false, chunkFileNames: '[name].js' })
  await bundle.close()
}

/** Sorts by modification time. */
function removeOlder(): void {
  const dist = join(root, 'dist')
  const made = readdirSync(dist).map((name) => join(dist, name))
  const newestFirst = made.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const folder of newestFirst.slice(1 + olderToKeep)) rmSync(folder, { recursive: true, force: true })
}
