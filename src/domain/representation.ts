import { createHash } from 'node:crypto'

export interface Representation {
  json: string
  etag: string
}

/**
 * The JSON of an answer with its strong ETag. The tag is made of the bytes the caller sees and of nothing else: a
 * version number would tell a partner that something changed in what it may not read.
 */
export function represent(value: unknown): Representation {
  const json = JSON.stringify(value)
  return { json, etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"` }
}
