export const sections = ['facilities', 'partners'] as const
export type Section = (typeof sections)[number]

/**
 * The maximum length of a file that is parsed as a whole, which takes seconds and about a hundred times its size in
 * memory: YAML whose `facilities` and `partners` are not block lists. Other files are split into pieces, one per
 * facility or partner, so that memory does not limit their size.
 */
export const maxWholeLength = 4 * 1_048_576

/** `line` is where the piece begins in the file. */
export type Piece =
  /** `keys` is the number of keys in the JSON text, including duplicates. */
  | { kind: 'item'; section: Section; text: string; line: number; keys?: number }
  /** The start of `facilities` or `partners`, which can be empty. */
  | { kind: 'section'; section: Section; line: number }
  /** The key `facilities` or `partners` with a value that cannot be split into items. */
  | { kind: 'map'; text: string; line: number }
  | { kind: 'file'; text: string; line: 1 }
  /** An unknown top-level key, which is a fault of the file. */
  | { kind: 'unknown'; key: string; line: number }

export type TextPiece = Extract<Piece, { text: string }>

/** Splits an estate file into pieces as its text arrives. Buffers at most one piece. */
export interface Splitter {
  push(chunk: string): Piece[]
  end(): Piece[]
}

const blockListAdvice = `a file of this form can have at most ${maxWholeLength} bytes: write "facilities" and "partners" as block lists`

/** Thrown for an estate file that cannot be split into pieces. It may still be valid YAML as a whole. */
export class NotSplittable extends Error {
  readonly line: number

  /** `advice` is shown only if the file is too large to be parsed as a whole. */
  constructor(line: number, reason: string, advice = blockListAdvice) {
    super(`${reason}${advice && `; ${advice}`}`)
    this.line = line
  }
}

export function isSection(key: string): key is Section {
  return (sections as readonly string[]).includes(key)
}
