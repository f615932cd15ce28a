import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { asBuffer, type Bytes, bytesOf } from './bytes.ts'

/** Begins a compressed list; its uncompressed length in bytes follows. Other lists are stored as a JSON array. */
const mark = 'deflate:'
const markEnd = ':'
/** Decompressing a shorter list costs more than reading fewer bytes saves. */
const minPackedBytes = 32_768
/** Level 1 reduces a list to a tenth; higher levels take twice as long for little gain. */
const level = 1

/**
 * Compresses a long list, because reading or writing a row takes time in proportion to its length. Returns a short list
 * as it is. The result is base64, because the column is of type text on both engines.
 */
export function packEntries(entries: Bytes): Bytes {
  if (entries.length < minPackedBytes) return entries
  const packed = deflateRawSync(entries, { level, chunkSize: Math.ceil(entries.length / 4) })
  return bytesOf(`${mark}${entries.length}${markEnd}${packed.toString('base64')}`)
}

/** Returns the JSON array of a list as the database holds it, compressed or not; the reverse of `packEntries`. */
export function unpackEntries(stored: Bytes): Bytes {
  if (stored[0] !== mark.charCodeAt(0)) return stored
  const text = asBuffer(stored).toString('latin1')
  const end = text.indexOf(markEnd, mark.length)
  const length = Number(text.slice(mark.length, end))
  // The chunk is one byte larger than the list: if zlib fills a chunk, it allocates a second one and copies both.
  return inflateRawSync(Buffer.from(text.slice(end + 1), 'base64'), { chunkSize: length + 1 })
}
