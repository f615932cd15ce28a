// Works around a bug of V8, which confuses keys that have escapes: after it has parsed `{"a":1,"\\":1}`, JSON.parse
// reads `{"a":1,"\n":2}` as `{"a":1,"\\":2}` (nodejs/node#63785). One partner's keys could change another's, so keys
// with escapes are replaced by placeholders before parsing, and restored afterwards.
import { newId } from './identifier.ts'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

export function parseExactly(text: string): unknown {
  const value = JSON.parse(text)
  if (!text.includes('\\')) return value
  const escaped = [...stringsIn(text)].filter(({ isEscaped, to }) => isEscaped && isKeyBefore(text, to))
  return escaped.length === 0 ? value : withOtherKeys(text, escaped)
}

/** The range of a string in a JSON text, its quotes included. */
interface StringRange {
  from: number
  to: number
  isEscaped: boolean
}

/** Yields the ranges of all strings of a valid JSON text. */
export function* stringsIn(text: string): Generator<StringRange> {
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

/** Parses a JSON text with random names in place of its keys that have escapes (`places`), then puts the keys back. */
function withOtherKeys(text: string, places: StringRange[]): unknown {
  const mark = newId()
  const keys = new Map<string, string>()
  let plain = ''
  let done = 0
  for (const { from, to } of places) {
    const name = `${mark} ${keys.size}`
    // Parses the key alone, as a JSON string: V8's bug concerns only keys inside an object.
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
