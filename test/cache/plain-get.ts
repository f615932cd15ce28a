import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

const decoders = {
  identity: (bytes: Buffer) => bytes,
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

export type Encoding = keyof typeof decoders

export interface Got {
  status: number
  etag: string
  encoding: Encoding
  /** The body after content decoding. */
  text: string
}

/** Sends a GET with exactly these headers; `fetch` would add its own and decode the body. */
export function plainGet(url: string, token: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers: { authorization: `Bearer ${token}`, ...headers } }, async (response) => {
      const bytes = Buffer.concat(await Array.fromAsync(response))
      const { etag = '', 'content-encoding': encoding = 'identity' } = response.headers
      const text = bytes.length === 0 ? '' : decoders[encoding as Encoding](bytes).toString()
      resolve({ status: response.statusCode ?? 0, etag, encoding: encoding as Encoding, text })
    })
    asked.on('error', reject)
  })
}
