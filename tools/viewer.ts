import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Build, readIfPresent } from './stale.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'assets/viewer.js')
const name = '@scalar/fastify-api-reference'

/** Writes assets/viewer.js, the script with which the API reference sends requests. */
export const viewerBuild: Build = {
  isCurrent: () => readIfPresent(target)?.startsWith(heading()) ?? false,
  run: writeViewer,
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

function heading(): string {
  return `/*! ${name} ${version()}, MIT */\n`
}

function version(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[name]
}
