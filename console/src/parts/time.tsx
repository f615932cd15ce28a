import { useLanguage, useWords } from '../app/language.tsx'
import { exactTime } from './exact-time.ts'
import { common } from './words.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Shows a relative time, such as "3 hours ago"; the exact one is in `title` and `datetime`. */
export function Ago({ at }: { at: string | null }) {
  const { language } = useLanguage()
  const words = useWords(common)
  if (at === null) return <span>{words.never}</span>
  const distanceMs = Date.parse(at) - Date.now()
  const [unit, lengthMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? ['minute', 60_000]
  const text =
    Math.abs(distanceMs) > 60 * 86_400_000
      ? new Date(at).toLocaleDateString(language)
      : new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(distanceMs / lengthMs), unit)
  return (
    <time dateTime={at} title={exactTime(at, language)}>
      {text}
    </time>
  )
}

export function DateTime({ at }: { at: string }) {
  const { language } = useLanguage()
  return (
    <time dateTime={at} title={at}>
      {exactTime(at, language)}
    </time>
  )
}

/** Shows date and time in tables: the year only if it is not the current one. */
export function ShortDateTime({ at }: { at: string }) {
  const { language } = useLanguage()
  const date = new Date(at)
  const year = date.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const)
  const day = date.toLocaleDateString(language, { day: 'numeric', month: 'short', ...year })
  const time = date.toLocaleTimeString(language, { timeStyle: 'medium', hourCycle: 'h23' })
  return (
    <time dateTime={at} title={at}>
      {day}, {time}
    </time>
  )
}

/** Formats milliseconds with one decimal, in the format of the language. */
export function duration(ms: number, language: string): string {
  const [minimumFractionDigits, maximumFractionDigits] = [1, 1]
  return `${ms.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits })} ms`
}
