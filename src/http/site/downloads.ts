import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Config } from '../../config.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hostInvalid, isHost } from '../pipeline/host.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { assetRoute, revalidated } from './asset.ts'
import { apiDocument } from './docs.ts'
import { pageResponse } from './page.ts'
import { tarGz } from './tar.ts'

const gzip = 'application/gzip'
const json = 'application/json; charset=utf-8'

/** Generates files that contain this installation's address for each request. */
export function downloadsRoutes(config: Config): Route[] {
  const withAddress = (name: string, type: string, make: (origin: string) => Buffer | Promise<Buffer>): Route => ({
    method: 'GET',
    path: `/downloads/${name}`,
    handle: async (request: ApiRequest) => file(type, await make(originFor(config, request))),
  })
  return [
    {
      method: 'GET',
      path: '/downloads',
      handle: (request) => pageResponse('Downloads', downloadsPage(originFor(config, request)), 'no-store'),
    },
    built('atrium-client.tgz', gzip),
    built('atrium-examples.tar.gz', gzip),
    built('check.mjs', 'text/javascript; charset=utf-8'),
    withAddress('atrium-bruno.tar.gz', gzip, brunoArchive),
    withAddress('atrium.postman_collection.json', json, postmanCollection),
    withAddress('openapi.json', json, addressedDocument),
  ]
}

function file(type: string, body: Buffer): ApiResponse {
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
}

async function addressedDocument(origin: string): Promise<Buffer> {
  const document = JSON.parse(await apiDocument('partner'))
  return Buffer.from(JSON.stringify({ ...document, servers: [{ url: origin }] }))
}

function built(name: string, type: string): Route {
  const bytes = () =>
    readFile(new URL(`../../../assets/downloads/${name}`, import.meta.url)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      const advice = 'run `npm run build` where Atrium is installed.'
      throw new Refusal('route_not_found', `This file has not been built: ${advice}`)
    })
  return assetRoute(`/downloads/${name}`, { type, cacheControl: revalidated, bytes })
}

/** The address in the request can be forged, but is only returned to the same caller and never cached. */
function originFor({ publicUrl }: Pick<Config, 'publicUrl'>, { headers, isEncrypted }: ApiRequest): string {
  if (publicUrl !== null) return publicUrl
  const host = headers.host ?? ''
  if (!isHost(host)) throw hostInvalid()
  return `${isEncrypted ? 'https' : 'http'}://${host}`
}

/** Returns the body of the downloads page. `origin` needs no escaping: it contains no special character of HTML. */
function downloadsPage(origin: string): string {
  const from = `${origin}/downloads`
  const rows = [
    [
      'atrium-client.tgz',
      'The typed client, for Node 20 and newer, browsers and workers.',
      `curl -O ${from}/atrium-client.tgz\nnpm install ./atrium-client.tgz`,
    ],
    [
      'check.mjs',
      'Tests this installation, or any other of the same API, with your token. It needs Node 22 or newer, nothing else.',
      `curl -O ${from}/check.mjs\nnode check.mjs --base-url ${origin} --token - < token.txt`,
    ],
    ['atrium-bruno.tar.gz', 'Every request, for Bruno.', `curl -s ${from}/atrium-bruno.tar.gz | tar xz`],
    [
      'atrium-examples.tar.gz',
      'A stay and a receiver of webhooks in Python, PHP, Java and C#, with nothing but the standard library.',
      `curl -s ${from}/atrium-examples.tar.gz | tar xz`,
    ],
    ['atrium.postman_collection.json', 'Every request, for Postman: import this file.', ''],
    ['openapi.json', 'The OpenAPI document with the address of this installation, for generators.', ''],
  ]
  const items = rows.map(
    ([name, text, command]) =>
      `<h2><a href="/downloads/${name}" download>${name}</a></h2><p>${text}</p>${command && `<pre>${command}</pre>`}`,
  )
  return `<h1>Downloads</h1><p>For programs that use the partner API at <code>${origin}</code>.</p>${items.join('')}
    <p>The <a href="/docs/guides/quick-start">quick start</a> needs none of them.</p>`
}

const collections = join(import.meta.dirname, '../../../collections')
/** The address in the files of the repository. Downloads have the address of this installation in its place. */
const written = 'http://127.0.0.1:8080'

function postmanCollection(origin: string): Buffer {
  return Buffer.from(filled(join(collections, 'atrium.postman_collection.json'), origin))
}

function brunoArchive(origin: string): Buffer {
  const parent = join(collections, 'bruno')
  const paths = readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(bru|json)$/.test(path))
  return tarGz(
    paths.sort().map((path) => [`atrium-bruno/${path.replaceAll(sep, '/')}`, filled(join(parent, path), origin)]),
  )
}

function filled(file: string, origin: string): string {
  return readFileSync(file, 'utf8').replaceAll(written, origin)
}
