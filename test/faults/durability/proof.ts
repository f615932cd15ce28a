import type { Violation } from '../../torture/harness.ts'
import type { Call } from './trace.ts'

const requestId = /x-request-id: (write-\d+)\b/i
const shown = 160

/**
 * For each acknowledged write, checks that the log was written and then synced between its request and its response.
 * Returns how many passed, and those that did not.
 */
export function prove(calls: Call[], acknowledged: string[]): { proven: number; violations: Violation[] } {
  const arrivals = new Map<string, number>()
  const answers = new Map<string, number>()
  calls.forEach(({ name, text }, at) => {
    const id = requestId.exec(text)?.[1]
    if (id === undefined) return
    if (name === 'read') arrivals.set(id, at)
    else answers.set(id, at)
  })
  const violations = acknowledged.flatMap((id) => {
    const arrival = arrivals.get(id)
    const answer = answers.get(id)
    if (arrival === undefined || answer === undefined) {
      return [
        { what: `${id}: the trace does not show its ${arrival === undefined ? 'arrival' : 'answer'}`, history: [] },
      ]
    }
    const between = calls.slice(arrival, answer + 1)
    return isDurable(between) ? [] : [{ what: `${id} was acknowledged without an fsync`, history: between.map(lineOf) }]
  })
  return { proven: acknowledged.length - violations.length, violations }
}

function isDurable(calls: Call[]): boolean {
  const ofLog = calls.filter(({ text, failed }) => !failed && /^\w+\(\d+<[^>]*-wal>/.test(text))
  const written = ofLog.findIndex(({ name }) => name === 'pwrite64')
  return written >= 0 && ofLog.slice(written).some(({ name }) => name === 'fsync' || name === 'fdatasync')
}

function lineOf({ text }: Call): string {
  return text.length > shown ? `${text.slice(0, shown)}…` : text
}
