/** What was left out and why, with the number of cases and some examples of where. */
export interface Note {
  what: string
  count: number
  places: string[]
}

const maxPlaces = 3
/** Texts can hold names from the server, so their number is bounded. */
const maxNotes = 200
const overflow = 'further differences that are not listed'

/** Collects notes: one for each text, however often it is added. */
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
