// npm run build: writes assets/viewer.js, the script of the API reference. With --if-stale only if the existing file was
// written by another version of the package.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const target = join(root, 'assets/viewer.js')
const name = '@scalar/fastify-api-reference'

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await writeViewerWhenStale()
  else await writeViewer()
}

/** A production install lacks the package and serves the existing file. */
export async function writeViewerWhenStale(): Promise<void> {
  if (isCurrent()) return
  await writeViewer().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  })
}

/** Replaces the file atomically. The package offers its script only as a route of a Fastify server. */
async function writeViewer(): Promise<void> {
  const [{ fastify }, { default: scalar }] = await Promise.all([import('fastify'), import(name)])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/viewer', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await app.inject('/viewer/js/scalar.js')
  if (statusCode !== 200) throw new Error(`${name} ${version()} has no script at the route where it was`)
  const unfinished = `${target}.${process.pid}`
  // Removes the reference to the source map, which is not served.
  writeFileSync(unfinished, `${heading()}${body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')}`)
  renameSync(unfinished, target)
}

function isCurrent(): boolean {
  try {
    return readFileSync(target, 'utf8').startsWith(heading())
  } catch {
    return false
  }
}

function heading(): string {
  return `/*! ${name} ${version()}, MIT */\n`
}

function version(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[name]
}
