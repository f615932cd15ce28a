import { hash } from 'node:crypto'

export interface Representation {
  json: string
  etag: string
}

/**
 * A strong ETag: a hash of the response body alone. A revision number would also change with fields that the partner
 * may not read, and so reveal that they changed.
 */
export function etagOf(json: string | Uint8Array): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`
}

export function represent(value: unknown): Representation {
  return representJson(JSON.stringify(value))
}

export function representJson(json: string): Representation {
  return { json, etag: etagOf(json) }
}
