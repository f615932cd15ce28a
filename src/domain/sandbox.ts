import { createHash, randomInt } from 'node:crypto'
import { sandboxPrefix } from './identifier.ts'
import { Refusal } from './refusal.ts'
import { nowIso } from './time.ts'

export interface Sandbox {
  /** The id of the sandbox and of a partner that exists only for it, whose grants name the copied facilities. */
  id: string
  /** The id of the real partner that uses the sandbox. */
  owner: string
  /** By how many milliseconds the clock of the sandbox is ahead of real time. */
  aheadMs: number
  /** The time to which the most recent change set the clock; null if that change was an advance or a reset. */
  setTo: string | null
  dateCreated: string
  lastReset: string | null
  facilities: SandboxFacility[]
}

export interface SandboxFacility {
  id: number
  idExternal: string
  copyOf: string
  name: string
  start: SandboxStart
}

/** The state that a reset restores: everything that partners can change. Rooms are closed and emptied. */
interface SandboxStart {
  name: string
  ssid_public: string | null
  subscription_url: string | null
  /** The entries of the autocomplete list: a JSON array with full ids. */
  entries: string
}

export interface VisibleSandbox extends Omit<Sandbox, 'setTo' | 'facilities'> {
  facilities: Pick<SandboxFacility, 'idExternal' | 'copyOf' | 'name'>[]
}

export const maxSandboxFacilities = 20
/** The maximum number of areas in a sandbox. A reset writes all of them in one transaction, which must stay short. */
export const maxSandboxAreas = 5000

const maxIdLength = 64
const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

export function newSandboxId(): string {
  return sandboxPrefix + Array.from({ length: 8 }, () => digits[randomInt(digits.length)]).join('')
}

/** Returns the id of a copied facility: both ids, joined and, if that is too long, cut off with a hash at the end. */
export function copyIdOf(sandbox: string, facility: string): string {
  const id = `${sandbox}.${facility}`
  if (id.length <= maxIdLength) return id
  const suffix = createHash('sha256').update(facility).digest('hex').slice(0, 8)
  return `${id.slice(0, maxIdLength - suffix.length - 1)}.${suffix}`
}

export function requireSandbox({ sandboxOf }: { sandboxOf: string | undefined }): void {
  if (sandboxOf !== undefined) return
  const detail = 'This works in a sandbox alone: use a token that begins with "atr_test_", which an operator can make.'
  throw new Refusal('sandbox_required', detail)
}

/** Omits the current time by the clock, so that the result and its ETag stay the same until the sandbox changes. */
export function sandboxView(sandbox: VisibleSandbox) {
  const { id, owner, aheadMs, dateCreated, lastReset, facilities } = sandbox
  return {
    id,
    partner: owner,
    facilities: facilities.map(({ idExternal, copyOf, name }) => ({ id_external: idExternal, copy_of: copyOf, name })),
    clock: { ahead_seconds: aheadMs / 1000 },
    date_created: dateCreated,
    last_reset: lastReset,
  }
}

/** Returns the same as `sandboxView`, with the current time by the sandbox's clock. */
export function sandboxNow(sandbox: VisibleSandbox) {
  const view = sandboxView(sandbox)
  return { ...view, clock: { now: nowIso(sandbox.aheadMs), ...view.clock } }
}
