// npm run build: writes assets/viewer.js, the script that shows the API reference in a browser. With --if-stale only when
// another version of its package made the one that is there.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const target = join(root, 'assets/viewer.js')
const name = '@scalar/fastify-api-reference'

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await writeViewerWhenStale()
  else await writeViewer()
}

/** A production install has no package to take it from: the file that is there is served. */
export async function writeViewerWhenStale(): Promise<void> {
  if (isCurrent()) return
  await writeViewer().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  })
}

/** Replaces the file in one step. The package hands its script over as a route of a Fastify server and in no other way. */
async function writeViewer(): Promise<void> {
  const [{ fastify }, { default: scalar }] = await Promise.all([import('fastify'), import(name)])
  const app = fastify()
  await app.register(scalar, { routePrefix: '/viewer', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await app.inject('/viewer/js/scalar.js')
  if (statusCode !== 200) throw new Error(`${name} ${version()} has no script at the route where it was`)
  const unfinished = `${target}.${process.pid}`
  // The source map that its last line names is not served.
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
