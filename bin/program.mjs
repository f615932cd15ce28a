// Where the program is: in the few files into which `npm run build` has packed these very sources, or in the sources.
// Plain JavaScript, like the launcher that asks.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Returns what to run: in a published package, its bundle; in a clone, the bundle of its sources or the sources, which
 * profilers and debuggers always get.
 * @param {string} root
 * @returns {{ entry: string, cache: string }} a file, and a folder for what V8 makes of it
 */
export function programIn(root) {
  const released = join(root, 'dist/program')
  if (existsSync(released)) return { entry: join(released, 'main.js'), cache: join(released, 'compiled') }
  const packed = packedFolder(root)
  const entry = join(packed, 'main.js')
  if (existsSync(entry) && !isWatched()) return { entry, cache: join(packed, 'compiled') }
  return { entry: join(root, 'src/main.ts'), cache: join(root, 'node_modules/.cache/atrium') }
}

function isWatched() {
  return process.env.NODE_V8_COVERAGE || process.execArgv.some((flag) => /^--(cpu-prof|heap-prof|inspect)/.test(flag))
}

/**
 * The folder for the sources as they are now: whoever changes one runs the sources until they are packed again. By their
 * sizes and times, since to read them all takes as long as the rest of the launcher. Of a time whole seconds: an archive
 * keeps no more.
 * @param {string} root
 */
export function packedFolder(root) {
  const hash = createHash('sha256').update(lockfile(root))
  for (const file of sources(root)) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${relative(root, file)} ${size} ${Math.floor(mtimeMs / 1000)}\n`)
  }
  return join(root, 'dist', hash.digest('hex').slice(0, 16))
}

/** @param {string} root */
function sources(root) {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * What the packages are.
 * @param {string} root
 */
function lockfile(root) {
  const path = join(root, 'package-lock.json')
  return existsSync(path) ? readFileSync(path) : ''
}
