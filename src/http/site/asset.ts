import { createHash } from 'node:crypto'
import { chooseEncoding, compress, type Encoding } from '../pipeline/compression.ts'
import { matchesEtag } from '../pipeline/conditions.ts'
import type { ApiRequest } from '../pipeline/request.ts'
import { type ApiResponse, noBody, type Route } from '../pipeline/request.ts'

/** Bytes that everybody may have and that stay the same while the service runs. */
export interface Asset {
  type: string
  cacheControl: string
  headers?: Record<string, string>
  /** Asked for once for each encoding, when somebody first wants it. */
  bytes(): Promise<Buffer>
}

export const revalidated = 'public, no-cache'

export function assetRoute(path: string, asset: Asset): Route {
  return { method: 'GET', path, handle: assetSender(asset) }
}

export type AssetSender = (request: Pick<ApiRequest, 'headers'>) => Promise<ApiResponse>

export function assetSender(asset: Asset): AssetSender {
  const kept = new Map<Encoding | undefined, Promise<Tagged>>()
  const inEncoding = (encoding: Encoding | undefined): Promise<Tagged> => {
    const found = kept.get(encoding) ?? prepare(asset, encoding)
    kept.set(encoding, found)
    found.catch(() => kept.delete(encoding))
    return found
  }
  return async (request) => {
    const encoding = chooseEncoding(request.headers['accept-encoding'], Infinity)
    const { bytes, etag } = await inEncoding(encoding)
    const headers = { ...asset.headers, etag, 'cache-control': asset.cacheControl, vary: 'Accept-Encoding' }
    if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers, body: noBody }
    const about = { 'content-type': asset.type, ...(encoding && { 'content-encoding': encoding }) }
    return { status: 200, headers: { ...headers, ...about }, body: bytes }
  }
}

interface Tagged {
  bytes: Buffer
  etag: string
}

async function prepare(asset: Asset, encoding: Encoding | undefined): Promise<Tagged> {
  const plain = await asset.bytes()
  const bytes = encoding === undefined ? plain : await compress(plain, encoding)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
}
