import { isSection, NotSplittable, type Piece, type Section, type Splitter } from './piece.ts'

/**
 * Splits JSON into one piece per facility and partner. A state machine (`Expected`) reads the top level. Values below
 * it are skipped by counting brackets and quotes, without validation: JSON.parse validates each piece later.
 */
export function jsonSplitter(): Splitter {
  const state: State = { text: '', at: 0, line: 1, expected: 'object', key: '', value: undefined, pieces: [] }
  return {
    push: (chunk) => {
      state.text += chunk
      while (step(state));
      discardConsumed(state)
      return state.pieces.splice(0)
    },
    end: () => {
      if (state.expected !== 'nothing') throw unexpected(state, 'the file ends too early')
      return []
    },
  }
}

interface State {
  text: string
  /** `at` is the index of the next character in `text`, `line` its line in the file. */
  at: number
  line: number
  expected: Expected
  /** The top-level key, such as `facilities`, whose value is being read. */
  key: string
  value: Value | undefined
  pieces: Piece[]
}

type Expected =
  | 'object'
  | 'key or end'
  | 'key'
  | 'colon'
  | 'value'
  | 'more'
  | 'item or end'
  | 'item'
  | 'more items'
  | 'nothing'

/** A value whose end is being searched for: a facility or partner, or the value of another top-level key. */
interface Value {
  from: number
  line: number
  keys: number
  depth: number
  inString: boolean
}

/** Returns false when it needs the next chunk of text. */
function step(state: State): boolean {
  if (state.value !== undefined) return skipValue(state, state.value)
  skipSpace(state)
  if (state.at >= state.text.length) return false
  const unit = state.text[state.at] as string
  if (state.expected === 'key' || (state.expected === 'key or end' && unit !== '}')) return readKey(state)
  if (state.expected === 'value' && !(unit === '[' && isSection(state.key))) return beginValue(state)
  if (state.expected === 'item' || (state.expected === 'item or end' && unit !== ']')) return beginValue(state)
  const next = transitions[state.expected]?.[unit]
  if (next === undefined) throw unexpected(state)
  if (next === 'item or end') {
    state.pieces.push({ kind: 'section', section: state.key as Section, line: state.line })
  }
  state.expected = next
  state.at++
  return true
}

const transitions: Partial<Record<Expected, Record<string, Expected>>> = {
  object: { '{': 'key or end' },
  'key or end': { '}': 'nothing' },
  colon: { ':': 'value' },
  value: { '[': 'item or end' },
  more: { ',': 'key', '}': 'nothing' },
  'item or end': { ']': 'more' },
  'more items': { ',': 'item', ']': 'more' },
}

function skipSpace(state: State): void {
  for (; ; state.at++) {
    const unit = state.text.charCodeAt(state.at)
    if (unit === 0x0a) state.line++
    else if (unit !== 0x20 && unit !== 0x09 && unit !== 0x0d) return
  }
}

const keyText = /"(?:[^"\\\n]|\\.)*"/y
const maxKeyLength = 1000

function readKey(state: State): boolean {
  keyText.lastIndex = state.at
  const found = keyText.exec(state.text)?.[0]
  if (found === undefined) {
    const partial = state.text[state.at] === '"' && state.text.length - state.at < maxKeyLength
    if (!partial || state.text.indexOf('\n', state.at) !== -1) throw unexpected(state)
    return false
  }
  try {
    state.key = JSON.parse(found)
  } catch {
    throw unexpected(state)
  }
  state.at += found.length
  state.expected = 'colon'
  return true
}

function beginValue(state: State): boolean {
  state.value = { from: state.at, line: state.line, keys: 0, depth: 0, inString: false }
  return true
}

/** Returns false when the end is in a later chunk. Does not check that brackets match. */
function skipValue(state: State, value: Value): boolean {
  const { text } = state
  for (; state.at < text.length; state.at++) {
    const unit = text.charCodeAt(state.at)
    if (value.inString) {
      if (unit === 0x5c) {
        if (state.at + 1 === text.length) return false
        state.at++
      } else if (unit === 0x22) value.inString = false
      else if (unit === 0x0a) throw unexpected(state, 'a quote is not closed on this line')
    } else if (unit === 0x22) value.inString = true
    else if (unit === 0x7b || unit === 0x5b) enterNested(state, value)
    else if ((unit === 0x7d || unit === 0x5d || unit === 0x2c) && value.depth === 0) return emitValue(state, value)
    else if (unit === 0x7d || unit === 0x5d) value.depth--
    else if (unit === 0x3a) value.keys++
    if (unit === 0x0a) state.line++
  }
  return false
}

/** The maximum depth of nesting. Deeper values would overflow the stack when they are checked recursively. */
const maxDepth = 500

function enterNested(state: State, value: Value): void {
  if (++value.depth > maxDepth) throw unexpected(state, 'this is nested too deep')
}

/** Adds the skipped value to the pieces. The value ends before the current character, a comma or bracket. */
function emitValue(state: State, { from, line, keys }: Value): boolean {
  const text = state.text.slice(from, state.at)
  if (state.expected !== 'value') {
    state.pieces.push({ kind: 'item', section: state.key as Section, text, line, keys })
    state.expected = 'more items'
  } else {
    if (isSection(state.key)) state.pieces.push({ kind: 'map', text: `{"${state.key}": ${text}}`, line })
    else state.pieces.push({ kind: 'unknown', key: state.key, line })
    state.expected = 'more'
  }
  state.value = undefined
  return true
}

/** Removes text from the buffer that is no longer needed: finished pieces, and the values of unknown keys. */
function discardConsumed(state: State): void {
  const { value } = state
  const isIgnored = state.expected === 'value' && !isSection(state.key)
  const from = value === undefined || isIgnored ? state.at : value.from
  state.text = state.text.slice(from)
  state.at -= from
  if (value !== undefined) value.from = Math.max(0, value.from - from)
}

function unexpected({ line }: State, reason = 'this is not JSON'): NotSplittable {
  return new NotSplittable(line, reason, '')
}
