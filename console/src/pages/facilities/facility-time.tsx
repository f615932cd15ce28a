import { useLanguage } from '../../app/language.tsx'

/** Shows a time on the clocks of the facility. */
export function FacilityTime({ at, timeZone }: { at: string; timeZone: string }) {
  const { language } = useLanguage()
  const text = new Date(at).toLocaleString(language, {
    ...{ timeZone, dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' },
  })
  return (
    <time dateTime={at} title={`${text} (${timeZone})`}>
      {text}
    </time>
  )
}

/** Returns a time on the clocks of the facility as the browser's field holds it. The Swedish form is ISO 8601. */
export function toFieldTime(at: string | null, timeZone: string): string {
  if (at === null) return ''
  const text = new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return text.replace(' ', 'T').replace(/:00$/, '')
}
