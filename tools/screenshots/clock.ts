import { mock } from 'node:test'

/** Fixed time of the screenshots, so that the same pages give the same images. */
export const now = Date.parse('2026-11-16T09:41:00.000Z')

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

mock.timers.enable({ apis: ['Date'], now })

/** Sets the clock of this process, which includes the server; timers are not affected. */
export function goTo(ms: number): void {
  mock.timers.setTime(ms)
}

export const daysAgo = (days: number) => now - days * dayMs
export const minutesAgo = (minutes: number) => now - minutes * minuteMs
export const inDays = (days: number) => new Date(now + days * dayMs).toISOString()
