import type { Edit } from './edit.ts'

const isSql = /\b(?:select|update|insert into|delete from)\b/

/** Keywords and operators with their replacements. */
const swaps: [RegExp, string][] = [
  [/(?<=\s)and(?=\s)/g, 'or'],
  [/(?<=\s)or(?=\s)/g, 'and'],
  [/(?<=\s)\+(?=\s)/g, '-'],
  [/\bleft join\b/g, 'join'],
  [/\bis null\b/g, 'is not null'],
  [/\bdistinct\b /g, ''],
]

/** A comparison after `where`, `on` or `and`. */
const conjunct = /\b(?:where|on|and)\s+([\w.]+) (=|>) ([\w.$]+)/g
const otherSign: Record<string, string> = { '=': '<>', '>': '>=' }

/** Returns the mutations of a statement. `start` is the offset of its text in the file. */
export function sqlEdits(text: string, start: number): Edit[] {
  if (!isSql.test(text)) return []
  const swapped = swaps.flatMap(([pattern, instead]) =>
    Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
      return { start: start + index, end: start + index + word.length, text: instead }
    }),
  )
  const turned = Array.from(text.matchAll(conjunct), ({ 0: whole, 1: one = '', 2: sign = '', 3: other, index }) => {
    const end = start + index + whole.length
    const condition = `${one} ${sign} ${other}`
    return [`${one} ${otherSign[sign]} ${other}`, '1 = 1'].map((instead) => {
      return { start: end - condition.length, end, text: instead }
    })
  })
  return [...swapped, ...turned.flat()]
}
