import { grantFields, type LostAccess, lostAccess, rightKinds } from '../../../src/domain/access/grant-difference.ts'
import type { Grant } from '../api/types.ts'
import type { Language } from '../app/define-words.ts'
import { rightWords } from '../pages/partners/right-words.ts'
import { exactTime } from '../parts/exact-time.ts'
import { common } from '../parts/words.ts'
import type { Fact } from './audit-entry.ts'
import { changeWords } from './change-words.ts'
import { type DifferenceLine, isNone, linesOf, type PropertyChange } from './difference.ts'
import { labelOf, valueWords } from './property-words.ts'

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** Shortens a UUID to its end, which is distinctive. */
export function shortId(id: string): string {
  return id.replace(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}(?=[0-9a-f]{12}$)/, '…')
}

/** Formats a value of a property in the language of the operator. */
export function valueText(key: string, value: unknown, language: Language): string {
  const { yes, no } = common[language]
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'number')
    return key === 'id' ? String(value) : value.toLocaleString(language, { useGrouping: 'min2' })
  if (typeof value === 'string') {
    if (dateTime.test(value)) return exactTime(value, language)
    return valueWords[language][key]?.[value] ?? shortId(value)
  }
  if (Array.isArray(value)) return value.map((item) => valueText(key, item, language)).join(', ')
  return typeof value === 'object' && value !== null ? itemText(value, language) : '–'
}

/** Formats an item of a list: its code or id first. */
function itemText(item: object, language: Language): string {
  const { code, id_external, id, ...others } = item as Record<string, unknown>
  const known = Object.entries({ code, id_external, id, ...others }).filter(([, value]) => !isNone(value))
  return known.map(([key, value]) => valueText(key, value, language)).join(' · ')
}

/** Formats a line of a difference; a contract is shown in its own JSON. */
export function lineText({ path, value }: DifferenceLine, key: string, language: Language): string {
  if (key === 'contract') return labelled(path.join(' › '), JSON.stringify(value), 'en')
  const names = path.map((name) => labelOf(name, language)).join(' › ')
  return labelled(names, valueText(path.at(-1) ?? key, value, language), language)
}

export function labelled(label: string, text: string, language: Language): string {
  return label === '' ? text : common[language].labelled(label, text)
}

/** Formats the permissions of a group of facilities. */
export function accessText({ isWhole, rights }: LostAccess, isLoss: boolean, language: Language): string {
  const words = changeWords[language]
  const names = rightWords[language]
  const kinds = rightKinds.flatMap((kind) => {
    const fields = rights.filter((right) => right.kind === kind).map(({ field }) => names.fields[field] ?? field)
    if (fields.length === 0) return []
    return words.rights(names.kinds[kind], fields.length === grantFields[kind].length ? words.every : fields.join(', '))
  })
  const text = kinds.join(words.between)
  if (!isWhole) return text
  return isLoss ? words.whole(text) : text || words.seen
}

/** Returns the permissions that a change of grants removed and added. */
export function accessChanges({ before, after }: PropertyChange): { lost: LostAccess[]; gained: LostAccess[] } {
  const [had, has] = [(before ?? []) as Grant[], (after ?? []) as Grant[]]
  return { lost: lostAccess(had, has), gained: lostAccess(has, had) }
}

export function fieldsText(fields: string[], language: Language): string {
  // Names of the partner's own fields are stored as hashes.
  const own = fields.filter((name) => name.startsWith('#')).length
  const named = fields.filter((name) => !name.startsWith('#')).map((name) => labelOf(name, language))
  const words = changeWords[language]
  return words.fields([...named, ...(own > 0 ? [words.ownFields(own)] : [])].join(', '))
}

const maxLines = 3
const maxLength = 60

/** Summarizes an entry in a few words; ids of stays are left out. */
export function summaryOf(changes: PropertyChange[], facts: Fact[], language: Language): string {
  const short = facts.filter(({ value }) => !(typeof value === 'string' && uuid.test(value)))
  return [
    ...changes.filter(({ key }) => key !== 'cycle').map((change) => changeSummary(change, language)),
    ...short.map(({ key, value }) => labelled(labelOf(key, language), valueText(key, value, language), language)),
  ].join(', ')
}

function changeSummary(change: PropertyChange, language: Language): string {
  const label = [labelOf(change.key, language), change.about].filter(Boolean).join(' ')
  if (change.fields) return labelled(label, fieldsText(change.fields, language), language)
  if (change.before === undefined && change.after === undefined) return label
  const texts = change.key === 'grants' ? accessSummaries(change, language) : lineSummaries(change, language)
  if (texts.length === 0) return label
  const shown = texts
    .slice(0, maxLines)
    .map((text) => (text.length > maxLength ? `${text.slice(0, maxLength)} …` : text))
  return labelled(label, shown.join(', ') + (texts.length > maxLines || change.isPartial ? ' …' : ''), language)
}

function lineSummaries(change: PropertyChange, language: Language): string[] {
  const lines = linesOf(change)
  const text = (line: DifferenceLine) => lineText(line, change.key, language)
  const [first, second] = lines
  if (first?.sign === '+' && change.before === null && lines.length === 1) return [text(first)]
  if (lines.length === 2 && first?.path.length === 0 && first.sign === '−' && second?.sign === '+') {
    return [`${text(first)} → ${text(second)}`]
  }
  return lines.map((line) => `${line.sign} ${text(line)}`)
}

function accessSummaries(change: PropertyChange, language: Language): string[] {
  const { lost, gained } = accessChanges(change)
  const text = (sign: string, isLoss: boolean) => (group: LostAccess) =>
    `${sign} ${accessText(group, isLoss, language)} (${placesText(group, language)})`
  return [...lost.map(text('−', true)), ...gained.map(text('+', false))]
}

function placesText({ facilities }: LostAccess, language: Language): string {
  const words = changeWords[language]
  if (facilities === undefined) return words.everywhere
  const [first = ''] = facilities
  if (facilities.length > 1) return words.facilities(facilities.length)
  return first === '*' ? words.others : first
}
