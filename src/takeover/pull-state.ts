import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { EstateFacility, EstatePartner } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import type { WantedRoom } from '../domain/room/wanted-room.ts'
import { linesIn } from '../estate/spool.ts'
import type { Note } from './notes.ts'

/** Identifies the pull that a state file belongs to, without its tokens. */
export interface PullIdentity {
  baseUrl: string
  /** A prefix of a hash of the tokens, too short to verify guesses with. */
  tokens: string
  /** Set if rooms with their guests are read too: the time zone of their dates. */
  guests: string | null
}

/** The facilities to read, each with its summary and the tokens that see it. */
export interface PullPlan {
  facilities: { id: string; summary: Record<string, unknown>; tokens: number[] }[]
  partners: EstatePartner[]
  notes: Note[]
}

export interface PulledFacility {
  id: string
  /** The facility; null if Atrium cannot store it. */
  facility: EstateFacility | null
  /** Rooms by their short ids; only with guests. */
  rooms?: [short: string, WantedRoom][]
  notes: Note[]
}

/** The error for a state file of another pull. */
export class StateOfOtherPull extends Error {}

/**
 * The progress of a pull in a file: JSON Lines of the identity, the plan, and the facilities that have been read. A line
 * counts once its line break is written, so a crash loses at most the line that it cut off.
 */
export class PullState {
  readonly #fd: number
  #bytes = 0
  plan: PullPlan | undefined
  readonly done = new Set<string>()

  constructor(path: string, identity: PullIdentity) {
    this.#fd = openSync(path, 'a+', 0o600)
    try {
      this.#load(identity)
    } catch (error) {
      closeSync(this.#fd)
      throw error
    }
  }

  #load(identity: PullIdentity): void {
    let isFirst = true
    for (const line of linesIn(this.#fd)) {
      this.#bytes += Buffer.byteLength(line) + 1
      const value = parsed(line)
      if (isFirst && JSON.stringify(value) !== JSON.stringify(identity)) throw new StateOfOtherPull()
      if (!isFirst && this.plan === undefined) this.plan = value as PullPlan
      else if (!isFirst) this.done.add((value as PulledFacility).id)
      isFirst = false
    }
    ftruncateSync(this.#fd, this.#bytes)
    if (isFirst) this.#append(identity)
  }

  setPlan(plan: PullPlan): void {
    this.plan = plan
    this.#append(plan)
  }

  add(pulled: PulledFacility): void {
    this.done.add(pulled.id)
    this.#append(pulled)
  }

  #append(value: object): void {
    const data = Buffer.from(`${JSON.stringify(value)}\n`)
    for (let written = 0; written < data.length; ) written += writeSync(this.#fd, data, written)
    this.#bytes += data.length
  }

  /** Yields what has been read, in the order in which it was read. */
  *facilities(): Generator<PulledFacility> {
    let at = 0
    for (const line of linesIn(this.#fd)) if (at++ >= 2) yield parsed(line) as PulledFacility
  }

  close(): void {
    closeSync(this.#fd)
  }
}

function parsed(line: string): unknown {
  try {
    return parseExactly(line)
  } catch {
    throw new StateOfOtherPull()
  }
}
