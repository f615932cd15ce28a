import { hasExactNumbers, isObject, parseJson } from '../json.ts'
import { refusalAt } from '../refusal.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the value of `value` in a body such as `{"value": "x"}`; other keys are ignored. */
export function legacyValue(body: Uint8Array, maxDepth: number): unknown {
  const parsed = decodeJson(body, maxDepth)
  if (!isObject(parsed)) throw refusalAt('body_not_object', '', 'The body must be a JSON object with the key "value".')
  if (!Object.hasOwn(parsed, 'value')) {
    throw refusalAt('value_missing', '/value', 'The key "value" is missing.')
  }
  return parsed.value
}

export function decodeJson(body: Uint8Array, maxDepth: number): unknown {
  return parseJson(decode(body), { pointer: '', maxDepth, malformed: 'body_not_json' })
}

/** Refuses numbers that a double cannot hold exactly: the body will be stored, and they would change. */
export function decodeExactJson(body: Uint8Array, maxDepth: number): unknown {
  const text = decode(body)
  const value = parseJson(text, { pointer: '', maxDepth, malformed: 'body_not_json' })
  if (!hasExactNumbers(text)) {
    throw refusalAt('item_invalid', '', 'A number cannot be kept exactly: send it as a string.')
  }
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refusalAt('body_not_json', '', 'The body is not valid UTF-8.')
  }
}
