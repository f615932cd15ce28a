import type { Note } from '../../takeover/notes.ts'
import { escapeControls } from '../output.ts'

/** Formats each note as one line: what was left out, how often, and examples of where. */
export function noteLines(notes: Note[]): string[] {
  return notes.map(({ what, count, places }) => {
    const more = count > places.length && places.length > 0 ? ', …' : ''
    return escapeControls(`${what} (${[count, ...places].join(', ')}${more})`)
  })
}
