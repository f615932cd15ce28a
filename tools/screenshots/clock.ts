import { mock } from 'node:test'

/** When the pictures are taken: always the same moment, so that the same pages give the same pictures. */
export const now = Date.parse('2026-11-16T09:41:00.000Z')

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

mock.timers.enable({ apis: ['Date'], now })

/** Sets the clock of this process, in which the server runs too; timers go on as they are. */
export function goTo(ms: number): void {
  mock.timers.setTime(ms)
}

export const daysAgo = (days: number) => now - days * dayMs
export const minutesAgo = (minutes: number) => now - minutes * minuteMs
export const inDays = (days: number) => new Date(now + days * dayMs).toISOString()
