import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** In the order of our preference where the caller has none. */
const encoders: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: promisify<Buffer, Buffer>((bytes, done) => zstdCompress(bytes, done)),
  br: promisify<Buffer, Buffer>((bytes, done) => brotliCompress(bytes, brotliOptions, done)),
  gzip: promisify<Buffer, Buffer>((bytes, done) => gzip(bytes, { chunkSize: pieceBytes(bytes) }, done)),
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Each piece of what comes out is a way to the thread that does it and back: those of a long text are larger. */
function pieceBytes({ length }: Buffer): number {
  return Math.max(constants.Z_DEFAULT_CHUNK, Math.ceil(length / 8))
}

/** Below this, compressing costs more than it saves. */
const worthwhileBytes = 1024

/**
 * Picks the encoding that the caller prefers (RFC 9110, 12.5.3), undefined for identity. `*` stands for gzip alone:
 * programs that send it seldom decode anything newer.
 */
export function chooseEncoding(accept: string | undefined, size: number): Encoding | undefined {
  if (accept === undefined || size < worthwhileBytes) return undefined
  const weights = new Map(accept.split(',').map(weighted))
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

function weighted(part: string): [string, number] {
  const [name = '', ...parameters] = part
    .trim()
    .toLowerCase()
    .split(/\s*;\s*/)
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, weight === undefined ? 1 : Number(weight) || 0]
}

export function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoders[encoding](bytes)
}
