/** Formats a date-time of the API with seconds, in the time zone of the browser. */
export function exactTime(at: string, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
}
