import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The encodings in the server's order of preference, which decides between those that the caller prefers equally. */
const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: promisify<Buffer, Buffer>((bytes, done) => zstdCompress(bytes, done)),
  br: promisify<Buffer, Buffer>((bytes, done) => brotliCompress(bytes, brotliOptions, done)),
  gzip: promisify<Buffer, Buffer>((bytes, done) => gzip(bytes, { chunkSize: chunkBytes(bytes) }, done)),
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The chunk size. Each chunk costs a round trip to the thread pool of libuv, so a long text has larger chunks. */
function chunkBytes({ length }: Buffer): number {
  return Math.max(constants.Z_DEFAULT_CHUNK, Math.ceil(length / 8))
}

/** The minimum size of a body that is compressed. For smaller ones, it costs more time than it saves. */
const minBytes = 1024

/** Returns the preferred encoding (RFC 9110, section 12.5.3): for `*`, gzip, which is the most widely supported. */
export function chooseEncoding(accept: string | undefined, size: number): Encoding | undefined {
  if (accept === undefined || size < minBytes) return undefined
  const weights = new Map(accept.split(',').map(parseWeight))
  const candidates = (Object.keys(encoders) as Encoding[])
    .map((encoding) => ({
      encoding,
      weight: weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('*') : 0) ?? 0,
    }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  const [best] = candidates
  return best === undefined || (weights.get('identity') ?? 0) > best.weight ? undefined : best.encoding
}

function parseWeight(part: string): [string, number] {
  const [name = '', ...parameters] = part
    .toLowerCase()
    .split(';')
    .map((word) => word.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, weight === undefined ? 1 : Number(weight) || 0]
}

export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoders[encoding](bytes)
}
