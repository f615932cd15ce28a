import { readFile } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ApiRequest, ApiResponse, Route } from '../pipeline/request.ts'
import { assetRoute, revalidated } from './asset.ts'
import { apiDocument } from './docs.ts'
import { brunoArchive, postmanCollection } from './downloads/collections.ts'
import { originFor } from './downloads/origin.ts'
import { downloadsPage } from './downloads/page.ts'
import { pageResponse } from './page.ts'

const gzip = 'application/gzip'
const json = 'application/json; charset=utf-8'

/**
 * Returns the routes of files that partners download. Files that contain this installation's address are generated for
 * each request.
 */
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

/** Returns the route of a file that `npm run build` generates. */
function built(name: string, type: string): Route {
  const bytes = () =>
    readFile(new URL(`../../../assets/downloads/${name}`, import.meta.url)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      const advice = 'run `npm run build` where Atrium is installed.'
      throw new Refusal('route_not_found', `This file has not been built: ${advice}`)
    })
  return assetRoute(`/downloads/${name}`, { type, cacheControl: revalidated, bytes })
}
