import { isObject } from '../json.ts'
import { refusalAt } from '../refusal.ts'
import { decodeJson } from './legacy-body.ts'

/** Returns `to`, the full id of the room that the guest moves to. */
export function parseMove(body: Uint8Array, maxDepth: number): string {
  const sent = decodeJson(body, maxDepth)
  if (!isObject(sent)) throw refusalAt('body_invalid', '', 'The body must be a JSON object with the key "to".')
  if (typeof sent.to === 'string') return sent.to
  throw refusalAt('body_invalid', '/to', '"to" must be a string: the full id of the room to move to.')
}
