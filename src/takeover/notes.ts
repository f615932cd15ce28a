/** A kind of difference or loss, with the number of cases and up to three examples of where it occurs. */
export interface Note {
  what: string
  count: number
  places: string[]
}

const maxPlaces = 3
/** The maximum number of notes. Their texts can contain names that the other server chose, without a limit. */
const maxNotes = 200
const overflow = 'further differences that are not listed'

/** Collects notes. The same text added again only increases the count of its note. */
export class Notes {
  readonly #notes = new Map<string, Note>()

  add(what: string, place: string): void {
    this.merge([{ what, count: 1, places: [place] }])
  }

  merge(notes: Iterable<Note>): void {
    for (const { what, count, places } of notes) {
      const key = this.#notes.has(what) || this.#notes.size < maxNotes ? what : overflow
      const known = this.#notes.get(key) ?? { what: key, count: 0, places: [] }
      known.count += count
      known.places.push(...places.slice(0, maxPlaces - known.places.length))
      this.#notes.set(key, known)
    }
  }

  list(): Note[] {
    return [...this.#notes.values()]
  }
}
