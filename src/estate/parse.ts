import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml'
import { parseExactly } from '../domain/exact-json.ts'
import { isObject } from '../domain/json.ts'
import { maxWholeLength, NotSplittable, type TextPiece } from './piece.ts'
import { parsePlainYaml } from './plain-yaml.ts'

export type Path = readonly (string | number)[]

/** `lineOf` returns the line of a value. It searches only when it is called, since only faults need lines. */
export interface Parsed {
  value: unknown
  lineOf(path: Path): number
}

/** A syntax error in YAML, with a message of one line. */
export class SyntaxFault extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message.replaceAll(/\s+/g, ' '))
    this.line = line
  }
}

/**
 * Parses with the fast parser, or with the library `yaml` if that does not support the piece. Throws NotSplittable for
 * an alias whose anchor is in another piece; the whole file must then be parsed at once.
 */
export function parseYaml(piece: TextPiece): Parsed {
  const item = piece.kind === 'item'
  const plain = item ? parsePlainYaml(piece.text) : undefined
  if (plain !== undefined) return { value: (plain as unknown[])[0], lineOf: lazyLineOf(piece) }
  const source = parseWithLibrary(piece.text)
  const value = valueIn(source, piece)
  return { value: item ? (value as unknown[])[0] : value, lineOf: (path) => lineOfPath(source, piece, path) }
}

export function parseJson(piece: TextPiece): Parsed {
  let value: unknown
  try {
    value = parseExactly(piece.text)
  } catch {
    throw notJsonError(piece)
  }
  // Finds duplicate keys, which JSON.parse ignores, by counting keys. The YAML library then reports their lines.
  if (piece.kind === 'item' && countKeys(value) !== piece.keys) valueIn(parseWithLibrary(piece.text), piece)
  return { value, lineOf: lazyLineOf(piece) }
}

/** Uses the YAML library to find the line of a syntax error, which JSON.parse does not report. */
function notJsonError(piece: TextPiece): NotSplittable {
  try {
    if (piece.text.length <= maxWholeLength) valueIn(parseWithLibrary(piece.text), piece)
  } catch (error) {
    if (error instanceof SyntaxFault) return new NotSplittable(error.line, error.message, '')
  }
  return new NotSplittable(piece.line, 'the item that begins here is not JSON', '')
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countKeys(item), 0)
  if (!isObject(value)) return 0
  let count = 0
  for (const key of Object.keys(value)) count += 1 + countKeys(value[key])
  return count
}

interface Source {
  document: Document.Parsed
  lines: LineCounter
}

function parseWithLibrary(text: string): Source {
  const lines = new LineCounter()
  const options = { prettyErrors: false, lineCounter: lines, resolveKnownTags: false, stringKeys: true }
  return { document: parseDocument(text, { ...options, logLevel: 'error' }), lines }
}

const clearerMessages: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: 'an estate file holds one YAML document, and a second one begins here',
  RESOURCE_EXHAUSTION: 'this is nested too deep',
}

/** The limit of the YAML library for resolving aliases, against exponential expansion ("billion laughs"). */
const maxAliases = 10_000

function valueIn({ document, lines }: Source, piece: TextPiece): unknown {
  const [error] = [...document.errors, ...document.warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')]
  if (error !== undefined) {
    const line = piece.line + lines.linePos(error.pos[0]).line - 1
    throw new SyntaxFault(line, clearerMessages[error.code] ?? error.message)
  }
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (piece.kind !== 'file' && message.startsWith('Unresolved alias')) throw new NotSplittable(piece.line, message)
    throw new SyntaxFault(piece.line, message)
  }
}

function lazyLineOf(piece: TextPiece): Parsed['lineOf'] {
  let source: Source | undefined
  return (path) => {
    // For a long item, returns the line where the item starts: to find the exact line, the YAML library would have to
    // parse it, which takes too long.
    if (piece.text.length > maxWholeLength) return piece.line
    source ??= parseWithLibrary(piece.text)
    return lineOfPath(source, piece, path)
  }
}

/** Returns the line of the value at `path` or, if that value is missing, of its closest parent. */
function lineOfPath({ document, lines }: Source, piece: TextPiece, path: Path): number {
  let node: Node | null | undefined = document.contents
  let offset = 0
  // The YAML of a facility or partner begins with a dash, so the library parses it as a list with one item.
  for (const part of piece.kind === 'item' && isSeq(node) ? [0, ...path] : path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const found = node.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      if (found === undefined) break
      offset = (found.key as Node).range?.[0] ?? offset
      node = found.value as Node | null
    } else if (isSeq(node) && typeof part === 'number' && node.items[part] !== undefined) {
      node = node.items[part] as Node
      offset = node.range?.[0] ?? offset
    } else break
  }
  return piece.line + lines.linePos(offset).line - 1
}
