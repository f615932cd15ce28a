// Works around a bug of V8 (nodejs/node#63785): JSON.parse can replace a key that contains an escape sequence by a key
// that it parsed in an earlier call. After `{"a":1,"\\":1}`, it reads `{"a":1,"\n":2}` as `{"a":1,"\\":2}`. Without
// this, the keys in one partner's JSON would change those in another's.
import { randomUUID } from 'node:crypto'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** Parses JSON like `JSON.parse`, but always returns the keys that are in the text. */
export function parseExactly(text: string): unknown {
  const value = JSON.parse(text)
  if (!text.includes('\\')) return value
  const escaped = [...stringsIn(text)].filter(({ isEscaped, to }) => isEscaped && isKeyBefore(text, to))
  return escaped.length === 0 ? value : withOtherKeys(text, escaped)
}

interface StringPlace {
  from: number
  to: number
  isEscaped: boolean
}

/** Finds all strings in a text, which must be valid JSON. */
function* stringsIn(text: string): Generator<StringPlace> {
  for (let from = text.indexOf('"'); from !== -1; ) {
    let isEscaped = false
    let at = from + 1
    for (; text.charCodeAt(at) !== quote; at++) {
      if (text.charCodeAt(at) !== backslash) continue
      isEscaped = true
      at++
    }
    yield { from, to: at + 1, isEscaped }
    from = text.indexOf('"', at + 1)
  }
}

function isKeyBefore(text: string, from: number): boolean {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === colon
}

/** Parses the text with unique names in place of keys that contain escape sequences, and restores these keys. */
function withOtherKeys(text: string, places: StringPlace[]): unknown {
  const mark = randomUUID()
  const keys = new Map<string, string>()
  let plain = ''
  let done = 0
  for (const { from, to } of places) {
    const name = `${mark} ${keys.size}`
    // The bug of V8 does not affect a key that is parsed alone.
    keys.set(name, JSON.parse(text.slice(from, to)))
    plain += `${text.slice(done, from)}"${name}"`
    done = to
  }
  return renamed(JSON.parse(plain + text.slice(done)), keys)
}

function renamed(value: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => renamed(item, keys))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [keys.get(key) ?? key, renamed(member, keys)]))
}
