export const sections = ['facilities', 'partners'] as const
export type Section = (typeof sections)[number]

/**
 * A file is read piece by piece, so that its size does not matter, when it is JSON or when its `facilities` and
 * `partners` are block lists. Any other YAML is parsed whole by the library, up to this length: that takes seconds and
 * some hundred times its size in memory.
 */
export const maxWholeLength = 4 * 1_048_576

/** A part of an estate file that can be parsed alone. `line` is where its text begins in the file. */
export type Piece =
  /** One item of a section's list. `keys` counts the keys that the text of a JSON item has. */
  | { kind: 'item'; section: Section; text: string; line: number; keys?: number }
  /** The beginning of a section's list, which may turn out to have no items. */
  | { kind: 'section'; section: Section; line: number }
  /** A part of the map at the top. */
  | { kind: 'map'; text: string; line: number }
  | { kind: 'file'; text: string; line: 1 }
  /** A key at the top that no estate file has. */
  | { kind: 'unknown'; key: string; line: number }

export type TextPiece = Extract<Piece, { text: string }>

/** Cuts a text that arrives in chunks. What it keeps between chunks is one piece at most. */
export interface Splitter {
  push(chunk: string): Piece[]
  end(): Piece[]
}

const blockListAdvice = `a file of this form can have at most ${maxWholeLength} bytes: write "facilities" and "partners" as block lists`

/** The file is not in the shape that can be read piece by piece; it may well be right all the same. */
export class NotSplittable extends Error {
  readonly line: number

  /** `advice` is for a file that is too large to be read whole. */
  constructor(line: number, reason: string, advice = blockListAdvice) {
    super(`${reason}${advice && `; ${advice}`}`)
    this.line = line
  }
}

export function isSection(key: string): key is Section {
  return (sections as readonly string[]).includes(key)
}
