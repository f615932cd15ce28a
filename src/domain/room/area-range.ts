import { Refusal } from '../refusal.ts'

const maxIds = 5000
const form = /^(.*?)(\d+)\s*(?:-|–|\.\.)\s*(.*?)(\d+)$/u

/** Expands ranges such as `101-140` or `A01-A20`. Leading zeros are kept. */
export function idsInRange(text: string): string[] {
  const [, prefix = '', first = '', secondPrefix = '', last = ''] = form.exec(text.trim()) ?? []
  const from = Number(first)
  const to = Number(last)
  const isOneForm = first !== '' && (secondPrefix === prefix || secondPrefix === '') && last.length >= first.length
  if (!isOneForm || to < from || to - from >= maxIds) {
    throw new Refusal('range_invalid', `A range is written like 101-140 or A01-A20, with at most ${maxIds} ids.`)
  }
  return Array.from({ length: to - from + 1 }, (_, at) => prefix + String(from + at).padStart(first.length, '0'))
}
