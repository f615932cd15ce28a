import { isSection, NotSplittable, type Piece, type Section, type Splitter } from './piece.ts'

/**
 * Splits by indentation: every line of an item, except for comments and blank lines, is indented more than the item's
 * dash. Throws NotSplittable for other lines; the YAML library then parses the file as a whole.
 */
export function yamlSplitter(): Splitter {
  const state: State = { text: '', at: 0, line: 1, open: undefined, pieces: [] }
  return {
    push: (chunk) => {
      state.text += chunk
      readLines(state)
      return state.pieces.splice(0)
    },
    end: () => {
      if (state.at < state.text.length) {
        state.text += '\n'
        readLines(state)
      }
      emitOpenPart(state)
      return state.pieces.splice(0)
    },
  }
}

interface State {
  /** The buffered text. It begins with the part (such as a facility) whose end has not been found yet. */
  text: string
  /** `at` is the index in `text` of the next line, `line` its number in the file. */
  at: number
  line: number
  open: Open | undefined
  pieces: Piece[]
}

/**
 * The part of the file to which the next line may belong: `start` is the line `---`, `key` the key of a section alone
 * on its line, `item` a facility or partner whose dash is at `indent`, `map` a key with a value that is parsed as a
 * whole, `unknown` a part that is ignored.
 */
interface Open {
  kind: 'start' | 'key' | 'item' | 'map' | 'unknown'
  section: Section | undefined
  indent: number
  line: number
  /** The index in `State.text` of the first character of this part, which ends where the next part begins. */
  from: number
}

function readLines(state: State): void {
  for (let end = state.text.indexOf('\n', state.at); end !== -1; end = state.text.indexOf('\n', state.at)) {
    readLine(state, end)
    state.at = end + 1
    state.line++
  }
  const keep = state.open === undefined || state.open.kind === 'unknown' ? state.at : state.open.from
  state.text = state.text.slice(keep)
  state.at -= keep
  if (state.open !== undefined) state.open.from = Math.max(0, state.open.from - keep)
}

const space = 0x20
const dash = 0x2d
const hash = 0x23
const carriageReturn = 0x0d

function readLine(state: State, end: number): void {
  let first = state.at
  while (state.text.charCodeAt(first) === space) first++
  const unit = state.text.charCodeAt(first)
  if (first === end || unit === carriageReturn || unit === hash) return
  const indent = first - state.at
  const { open } = state
  if (open?.kind === 'item' && indent > open.indent) return
  if (indent === 0 && isMarker(state, end)) return readMarker(state, end)
  if (unit === dash && isDash(state.text.charCodeAt(first + 1)) && (open?.kind === 'key' || open?.kind === 'item')) {
    if (open.kind === 'key' || open.indent === indent) return beginItem(state, open, indent)
  }
  if (indent === 0) return beginKey(state, end)
  if (open?.kind === 'key') open.kind = 'map'
  else if (open?.kind !== 'map' && open?.kind !== 'unknown') throw unexpected(state)
}

function isDash(next: number): boolean {
  return next === space || next === 0x0a || next === carriageReturn
}

function isMarker(state: State, end: number): boolean {
  return /^(?:---|\.\.\.|%)/.test(state.text.slice(state.at, Math.min(end, state.at + 3)))
}

/** Accepts the line `---` as the first line only. Throws for another such line, and for `...` and `%`. */
function readMarker(state: State, end: number): void {
  if (state.open !== undefined || !/^--- *(?:#.*)?\r?$/.test(state.text.slice(state.at, end))) throw unexpected(state)
  state.open = { kind: 'start', section: undefined, indent: 0, line: state.line, from: state.at }
}

function beginItem(state: State, open: Open, indent: number): void {
  if (open.kind === 'key') state.pieces.push({ kind: 'section', section: open.section as Section, line: open.line })
  else emitOpenPart(state)
  state.open = { kind: 'item', section: open.section, indent, line: state.line, from: state.at }
}

const key = /^(?:([A-Za-z_][\w.-]*)|"([\w.-]+)"|'([\w.-]+)') *:(?: +(.*))?$/

function beginKey(state: State, end: number): void {
  const text = state.text.slice(state.at, end).replace(/\r$/, '')
  const found = key.exec(text)
  if (found === null) throw unexpected(state)
  emitOpenPart(state)
  const name = (found[1] ?? found[2] ?? found[3]) as string
  const alone = found[4] === undefined || /^(?:#.*)?$/.test(found[4])
  const start = { indent: 0, line: state.line, from: state.at }
  if (isSection(name)) state.open = { kind: alone ? 'key' : 'map', section: name, ...start }
  else {
    state.pieces.push({ kind: 'unknown', key: name, line: state.line })
    state.open = { kind: 'unknown', section: undefined, ...start }
  }
}

/** Adds the part that was open (such as a facility) to the pieces. It ends where the next line begins. */
function emitOpenPart({ open, text, at, pieces }: State): void {
  if (open === undefined || open.kind === 'unknown' || open.kind === 'start') return
  const part = text.slice(open.from, at)
  if (open.kind === 'item') {
    pieces.push({ kind: 'item', section: open.section as Section, text: part, line: open.line })
  } else pieces.push({ kind: 'map', text: part, line: open.line })
}

function unexpected(state: State): NotSplittable {
  return new NotSplittable(state.line, 'this line is neither a key at the top nor part of an item of a list')
}
