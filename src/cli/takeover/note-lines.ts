import type { Note } from '../../takeover/notes.ts'
import { escapeControls } from '../output.ts'

/** Formats notes, one per line: what, how often, and some places. */
export function noteLines(notes: Note[]): string[] {
  return notes.map(({ what, count, places }) => {
    const more = count > places.length && places.length > 0 ? ', …' : ''
    return escapeControls(`${what} (${[count, ...places].join(', ')}${more})`)
  })
}
