/**
 * Parses the subset of YAML in which most estate files are written: block lists and maps, flow lists and maps on one
 * line, plain and quoted text. It is some fifty times as fast as the library `yaml`. Returns undefined for everything
 * else (comments after values, anchors, tags, multi-line text, numbers other than plain integers, errors), which the
 * caller then parses with the library. A property-based test compares the two parsers.
 */
export function parsePlainYaml(text: string): unknown {
  const lines = linesOf(text.replaceAll('\r\n', '\n'))
  if (lines === undefined || lines.length === 0) return undefined
  try {
    const reader: LineReader = { lines, at: 0 }
    const value = block(reader, (lines[0] as Line).indent)
    return reader.at === lines.length ? value : undefined
  } catch (error) {
    // Treats a RangeError, a stack overflow, as unsupported: the library then reports that the nesting is too deep.
    if (error === unsupported || error instanceof RangeError) return undefined
    throw error
  }
}

interface Line {
  indent: number
  body: string
}

interface LineReader {
  lines: Line[]
  at: number
}

const unsupported = new Error('outside of the supported subset of YAML')

const blank = /^ *(?:#.*)?$/

function linesOf(text: string): Line[] | undefined {
  if (text.includes('\t') || text.includes('\r')) return undefined
  const lines: Line[] = []
  for (const line of text.split('\n')) {
    if (blank.test(line)) continue
    let indent = 0
    while (line.charCodeAt(indent) === 0x20) indent++
    let end = line.length
    while (line.charCodeAt(end - 1) === 0x20) end--
    lines.push({ indent, body: line.slice(indent, end) })
  }
  return lines
}

function block(reader: LineReader, indent: number): unknown {
  return isItem(reader.lines[reader.at] as Line) ? sequence(reader, indent) : mapping(reader, indent)
}

function isItem(line: Line): boolean {
  return line.body.startsWith('- ')
}

function sequence(reader: LineReader, indent: number): unknown[] {
  const items: unknown[] = []
  for (let line = reader.lines[reader.at]; line?.indent === indent && isItem(line); line = reader.lines[reader.at]) {
    const body = line.body.slice(2)
    if (pair.test(body)) {
      reader.lines[reader.at] = { indent: indent + 2, body }
      items.push(mapping(reader, indent + 2))
    } else {
      items.push(inline(body))
      reader.at++
    }
  }
  return assertBlockEnds(reader, indent, items)
}

const pair = /^([A-Za-z_][A-Za-z0-9_-]*):(?: +(.+))?$/

function mapping(reader: LineReader, indent: number): object {
  const map: Record<string, unknown> = {}
  for (let line = reader.lines[reader.at]; line?.indent === indent; line = reader.lines[reader.at]) {
    const [, key, rest] = pair.exec(line.body) ?? []
    if (key === undefined) throw unsupported
    reader.at++
    put(map, key, rest === undefined ? nested(reader, indent) : inline(rest))
  }
  return assertBlockEnds(reader, indent, map)
}

function nested(reader: LineReader, indent: number): unknown {
  const line = reader.lines[reader.at]
  if (line !== undefined && line.indent > indent) return block(reader, line.indent)
  if (line?.indent === indent && isItem(line)) return sequence(reader, indent)
  throw unsupported
}

function assertBlockEnds<T>(reader: LineReader, indent: number, value: T): T {
  if ((reader.lines[reader.at]?.indent ?? 0) > indent) throw unsupported
  return value
}

const words = new Map<string, unknown>([
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__' || words.has(key) || Object.hasOwn(map, key)) throw unsupported
  map[key] = value
}

interface Cursor {
  text: string
  at: number
}

function inline(text: string): unknown {
  const cursor = { text, at: 0 }
  const value = scalarOrFlow(cursor, plainInBlock)
  if (cursor.at !== text.length) throw unsupported
  return value
}

// Excludes characters that YAML parsers classify differently (as white space, line breaks or text).
const plainInFlow = /[\p{L}\p{N}_/][^\s\p{C},[\]{}:#]*(?: +[^\s\p{C},[\]{}:#]+)*/uy
const plainInBlock = /[\p{L}\p{N}_/](?:[^\s\p{C}:#]|:(?=[^\s\p{C}]))*(?: +(?:[^\s\p{C}:#]|:(?=[^\s\p{C}]))+)*/uy
const doubleQuoted = /"(?:[^"\\\p{C}\u2028\u2029]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/uy
const singleQuoted = /'(?:[^'\p{C}\u2028\u2029]|'')*'/uy
const flowKey = /[A-Za-z_][A-Za-z0-9_-]*(?=: )/y
const colon = /: */y
const comma = /, */y
const spaces = / */y

function scalarOrFlow(cursor: Cursor, plain: RegExp): unknown {
  switch (cursor.text[cursor.at]) {
    case '{':
      return flowMap(cursor)
    case '[':
      return flowList(cursor)
    case '"':
      return JSON.parse(take(cursor, doubleQuoted))
    case "'":
      return take(cursor, singleQuoted).slice(1, -1).replaceAll("''", "'")
    default:
      return plainScalar(take(cursor, plain))
  }
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found === undefined) throw unsupported
  cursor.at += found.length
  return found
}

function flowMap(cursor: Cursor): object {
  const map: Record<string, unknown> = {}
  members(cursor, '}', () => {
    const quoted = cursor.text[cursor.at] === '"'
    const key = quoted ? JSON.parse(take(cursor, doubleQuoted)) : take(cursor, flowKey)
    take(cursor, colon)
    put(map, key, scalarOrFlow(cursor, plainInFlow))
  })
  return map
}

function flowList(cursor: Cursor): unknown[] {
  const list: unknown[] = []
  members(cursor, ']', () => list.push(scalarOrFlow(cursor, plainInFlow)))
  return list
}

function members(cursor: Cursor, end: '}' | ']', member: () => void): void {
  cursor.at++
  take(cursor, spaces)
  while (cursor.text[cursor.at] !== end) {
    member()
    take(cursor, spaces)
    if (cursor.text[cursor.at] === end) break
    take(cursor, comma)
    if (cursor.text[cursor.at] === end) throw unsupported
  }
  cursor.at++
}

// Matches texts that YAML's core schema reads as numbers (section 10.3.2 of YAML 1.2.2). Only plain integers are parsed
// here; the library parses the others.
const number = /^(?:[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)$/
const simple = /^(?:0|[1-9][0-9]{0,14})$/

function plainScalar(text: string): unknown {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!number.test(text)) return text
  if (!simple.test(text)) throw unsupported
  return Number(text)
}
