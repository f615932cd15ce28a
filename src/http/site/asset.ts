import { createHash } from 'node:crypto'
import { chooseEncoding, compress, type Encoding } from '../pipeline/compression.ts'
import { matchesEtag } from '../pipeline/conditions.ts'
import { type ApiRequest, type ApiResponse, noBody, type Route } from '../pipeline/request.ts'

/** A public static file. It does not change as long as the service runs. */
export interface Asset {
  type: string
  cacheControl: string
  headers?: Record<string, string>
  /** Loads the file. Called at the first request for each encoding; the result, compressed if needed, is cached. */
  bytes(): Promise<Buffer>
}

export const revalidated = 'public, no-cache'

export function assetRoute(path: string, asset: Asset): Route {
  return { method: 'GET', path, handle: assetSender(asset) }
}

export type AssetSender = (request: Pick<ApiRequest, 'headers'>) => Promise<ApiResponse>

export function assetSender(asset: Asset): AssetSender {
  const cache = new Map<Encoding | undefined, Promise<EncodedAsset>>()
  const load = (encoding: Encoding | undefined): Promise<EncodedAsset> => {
    const loaded = cache.get(encoding) ?? encode(asset, encoding)
    cache.set(encoding, loaded)
    loaded.catch(() => cache.delete(encoding))
    return loaded
  }
  return async (request) => {
    const encoding = chooseEncoding(request.headers['accept-encoding'], Infinity)
    const { bytes, etag } = await load(encoding)
    const headers = { ...asset.headers, etag, 'cache-control': asset.cacheControl, vary: 'Accept-Encoding' }
    if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers, body: noBody }
    const entity = { 'content-type': asset.type, ...(encoding && { 'content-encoding': encoding }) }
    return { status: 200, headers: { ...headers, ...entity }, body: bytes }
  }
}

interface EncodedAsset {
  bytes: Buffer
  etag: string
}

async function encode(asset: Asset, encoding: Encoding | undefined): Promise<EncodedAsset> {
  const plain = await asset.bytes()
  const bytes = encoding === undefined ? plain : await compress(plain, encoding)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
}
