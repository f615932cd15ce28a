import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { EstateFacility, EstatePartner } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import type { WantedRoom } from '../domain/room/wanted-room.ts'
import { linesIn } from '../estate/spool.ts'
import type { Note } from './notes.ts'

/** A progress file is continued only by a run with the same values. They include no token, as they are stored. */
interface PullIdentity {
  baseUrl: string
  /** The beginning of a hash of all tokens, too short to find out from the file whether a guessed token is right. */
  tokens: string
  /** If rooms and their guests are read as well, the time zone for their dates; otherwise null. */
  guests: string | null
}

/** `tokens` are the indexes of tokens that can see the facility, `summary` its item in the list of facilities. */
export interface PullPlan {
  facilities: { id: string; summary: Record<string, unknown>; tokens: number[] }[]
  partners: EstatePartner[]
  notes: Note[]
}

interface PulledFacility {
  id: string
  /** The facility as an item of the estate file; null if Atrium cannot store it. */
  facility: EstateFacility | null
  /** Rooms with their short ids, such as `B-203`. Present only if guests are read as well. */
  rooms?: [short: string, WantedRoom][]
  notes: Note[]
}

export class StateOfOtherPull extends Error {}

/**
 * An interrupted run continues with this file. It has lines of JSON: the identity of the task, the plan, and one line
 * per facility that was read. A crash loses at most the last line, which then lacks its line break.
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

  /** Yields the facilities in the file, in the order in which they were read. */
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
