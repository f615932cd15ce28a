import type { Note } from '../../takeover/notes.ts'
import { escapeControls } from '../output.ts'

export function noteLines(notes: Note[]): string[] {
  return notes.map(({ what, count, places }) => {
    const more = count > places.length && places.length > 0 ? ', …' : ''
    return escapeControls(`${what} (${[count, ...places].join(', ')}${more})`)
  })
}
