import { createHash, randomInt } from 'node:crypto'
import { sandboxPrefix } from './identifier.ts'
import { Refusal } from './refusal.ts'
import { nowIso } from './time.ts'

/** A partner's own copy of some facilities, with a clock of its own. */
export interface Sandbox {
  /** It is a partner too, whose grants name the copies. */
  id: string
  /** The partner that tries things in it. */
  owner: string
  aheadMs: number
  /** What the clock was last set to. */
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

/** What a partner can change of a facility, as it was in the beginning; rooms begin closed and empty. */
export interface SandboxStart {
  name: string
  ssid_public: string | null
  subscription_url: string | null
  /** The list as it is kept: a JSON array with full ids. */
  entries: string
}

export const maxSandboxFacilities = 20
/** All of them are put back in one transaction. */
export const maxSandboxAreas = 5000

const maxIdLength = 64
const digits = '0123456789abcdefghijklmnopqrstuvwxyz'

export function newSandboxId(): string {
  return sandboxPrefix + Array.from({ length: 8 }, () => digits[randomInt(digits.length)]).join('')
}

/** The id that a facility has in a sandbox: as it is known, as far as there is room. */
export function copyIdOf(sandbox: string, facility: string): string {
  const id = `${sandbox}.${facility}`
  if (id.length <= maxIdLength) return id
  const mark = createHash('sha256').update(facility).digest('hex').slice(0, 8)
  return `${id.slice(0, maxIdLength - mark.length - 1)}.${mark}`
}

/** For what can be done in sandboxes alone. */
export function requireSandbox({ sandboxOf }: { sandboxOf: string | undefined }): void {
  if (sandboxOf !== undefined) return
  const detail = 'This works in a sandbox alone: use a token that begins with "atr_test_", which an operator can make.'
  throw new Refusal('sandbox_required', detail)
}

/** As operators see it, who look at it over and over. */
export function sandboxView(sandbox: Sandbox) {
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

/** As it is at this moment. */
export function sandboxNow(sandbox: Sandbox) {
  const view = sandboxView(sandbox)
  return { ...view, clock: { now: nowIso(sandbox.aheadMs), ...view.clock } }
}
