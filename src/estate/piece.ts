export const sections = ['facilities', 'partners'] as const
export type Section = (typeof sections)[number]

/**
 * The maximum length of a file that is parsed as a whole, which takes seconds and about a hundred times its size in memory.
 * It applies to YAML whose `facilities` and `partners` are not block lists. All other files are split into pieces, one per
 * facility or partner, which are parsed one after the other: their size is not limited by memory.
 */
export const maxWholeLength = 4 * 1_048_576

/** A part of an estate file that can be parsed alone. `line` is the line of the file on which it begins. */
export type Piece =
  /** An item of a section. `keys` is the number of keys in its JSON text, duplicates included. */
  | { kind: 'item'; section: Section; text: string; line: number; keys?: number }
  /** The start of a section, which can be empty. */
  | { kind: 'section'; section: Section; line: number }
  /** A top-level key with a value that is not a list of items. */
  | { kind: 'map'; text: string; line: number }
  | { kind: 'file'; text: string; line: 1 }
  /** An unknown top-level key. */
  | { kind: 'unknown'; key: string; line: number }

export type TextPiece = Extract<Piece, { text: string }>

/** Splits a text that arrives in chunks. Buffers at most one piece. */
export interface Splitter {
  push(chunk: string): Piece[]
  end(): Piece[]
}

const blockListAdvice = `a file of this form can have at most ${maxWholeLength} bytes: write "facilities" and "partners" as block lists`

/** A file that cannot be split into pieces. It may still be valid YAML. */
export class NotSplittable extends Error {
  readonly line: number

  /** `advice` says how to write the file, and is shown when it is too large to be parsed as a whole. */
  constructor(line: number, reason: string, advice = blockListAdvice) {
    super(`${reason}${advice && `; ${advice}`}`)
    this.line = line
  }
}

export function isSection(key: string): key is Section {
  return (sections as readonly string[]).includes(key)
}
