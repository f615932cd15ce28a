import type { RoomOptions } from './calls.ts'
import type { RoomOperation } from './schema.ts'

const advice = {
  cycle: 'A closed room has no cycle: use ifMatch, or cycle: null in an operation of changeMany.',
  ifMatch: 'Use what etagOf returns for the resource that you have read.',
  idempotencyKey: 'Leave it out to have one generated.',
}

/**
 * Refuses an option that is there but has no value, before anything is sent: a call with `cycle: room.cycle` is meant
 * for one guest, and without the condition it would reach another.
 */
export function assertConditions(options: RoomOptions = {}): void {
  for (const name of ['cycle', 'ifMatch', 'idempotencyKey'] as const) {
    if (name in options && !isText(options[name])) throw new TypeError(refusal(name, options[name]))
  }
}

/** In an operation, null is a condition too: that the room is closed. */
export function assertOperations(operations: RoomOperation[]): void {
  for (const [index, { area, ...operation }] of operations.entries()) {
    const { cycle } = operation as { cycle?: unknown }
    if (!('cycle' in operation) || cycle === null || isText(cycle)) continue
    throw new TypeError(`Operation ${index}, on ${area}: ${refusal('cycle', cycle)}`)
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function refusal(name: keyof typeof advice, value: unknown): string {
  return `${name} is ${JSON.stringify(value)}, which is no value. ${advice[name]} Nothing was sent.`
}
