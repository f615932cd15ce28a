import { hash } from 'node:crypto'

export interface Representation {
  json: string
  etag: string
}

/**
 * A strong ETag. It is made of the bytes the caller sees and of nothing else: a version number would tell a partner
 * that something changed in what it may not read.
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
