import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { asBuffer, type Bytes, bytesOf } from './bytes.ts'

/** Begins a list that is packed, and its length follows. One that is not is a JSON array. */
const mark = 'deflate:'
const markEnd = ':'
/** Shorter ones gain less than it takes to read them. */
const worthwhileBytes = 32_768
/** Packs a list to a tenth; more would take twice as long and win little. */
const level = 1

/**
 * The entries of a list, as `entriesJson` writes them, as they are kept: a long list packed, as a text that both engines
 * store alike. To read and to write it costs an engine, and whoever waits for it, by its length.
 */
export function packEntries(entries: Bytes): Bytes {
  if (entries.length < worthwhileBytes) return entries
  const packed = deflateRawSync(entries, { level, chunkSize: Math.ceil(entries.length / 4) })
  return bytesOf(`${mark}${entries.length}${markEnd}${packed.toString('base64')}`)
}

/** What `packEntries` was given. */
export function unpackEntries(kept: Bytes): Bytes {
  if (kept[0] !== mark.charCodeAt(0)) return kept
  const text = asBuffer(kept).toString('latin1')
  const end = text.indexOf(markEnd, mark.length)
  const length = Number(text.slice(mark.length, end))
  // In one piece, with a byte to spare: one that is full is taken for the first of several.
  return inflateRawSync(Buffer.from(text.slice(end + 1), 'base64'), { chunkSize: length + 1 })
}
