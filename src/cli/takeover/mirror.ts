import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { EstateFaults } from '../../domain/estate.ts'
import { findTimezone, mirrorFacility, mirrorRooms } from '../../operations/takeover/mirror-facility.ts'
import type { Db } from '../../storage/database.ts'
import { convertFacility } from '../../takeover/convert-facility.ts'
import { convertRooms } from '../../takeover/convert-rooms.ts'
import { Follower } from '../../takeover/follow.ts'
import { type Note, Notes } from '../../takeover/notes.ts'
import { ReadQueue } from '../../takeover/read-queue.ts'
import { RemoteFailure, RemoteRefusal } from '../../takeover/remote-failure.ts'
import type { SeenFacility } from '../../takeover/seen-facility.ts'
import { differenceLine } from '../estate/estate-lines.ts'
import { Failure } from '../failure.ts'
import { escapeControls, plural, print, printJson } from '../output.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { withDatabase } from '../with-database.ts'
import { connect } from './connect.ts'
import { noteLines } from './note-lines.ts'
import type { RemoteFlags } from './options.ts'
import { longProgress } from './progress.ts'
import { readTokens } from './read-tokens.ts'

export interface MirrorCommand extends RemoteFlags {
  from: string
  interval: number
  every: number
  once?: boolean
  timezone?: string
  json?: boolean
}

const say = (text: string) => process.stderr.write(`${escapeControls(text)}\n`)

/** Copies changes until interrupted. Returns 1 if something could not be read at the last attempt. */
export async function runMirror(config: Config, options: MirrorCommand): Promise<number> {
  const tokens = (await readTokens(process.stdin, 1)).map(([token]) => token as string)
  return withDatabase(config, (db) =>
    untilInterrupted(async (signal) => {
      const remotes = connect(options.from, tokens, options, signal)
      const mirror = new Mirror(db, config, options, new Follower(remotes), signal)
      await mirror.run()
      return mirror.end(remotes.reduce((sum, { requestCount }) => sum + requestCount, 0))
    }),
  )
}

/** After so many failures in a row, the installation counts as unavailable: other facilities wait for the next poll. */
const maxFailuresInRow = 3

class Mirror {
  readonly #db: Db
  readonly #config: Config
  readonly #options: MirrorCommand
  readonly #follower: Follower
  readonly #signal: AbortSignal
  /** For each facility, notes about what could not be copied when it was last read. */
  readonly #notes = new Map<string, Note[]>()
  readonly #queue = new ReadQueue()
  /** Whether the last poll could determine what has changed. If not, the next poll reads all facilities (a round). */
  #pollSucceeded = false
  #isFirstRound = true
  #rounds = 0
  #nextRoundAtMs = 0
  #differences = 0

  constructor(db: Db, config: Config, options: MirrorCommand, follower: Follower, signal: AbortSignal) {
    this.#db = db
    this.#config = config
    this.#options = options
    this.#follower = follower
    this.#signal = signal
  }

  async run(): Promise<void> {
    const { once = false, interval } = this.#options
    try {
      for (;;) {
        this.#pollSucceeded = await this.#attempt(() => this.#poll())
        if (this.#pollSucceeded) await this.#readDue()
        if (once) return
        await sleep(interval * 1000, undefined, { signal: this.#signal })
      }
    } catch (error) {
      if (!this.#signal.aborted) throw error
    }
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof RemoteFailure)) throw error
      say(error.message)
      return false
    }
  }

  /**
   * Queues the facilities that have changed according to events. Queues all facilities if a round is due (a reading of
   * all of them), or if events were lost.
   */
  async #poll(): Promise<void> {
    const startMs = performance.now()
    const isRoundDue = !this.#pollSucceeded || !this.#follower.hasEvents || startMs >= this.#nextRoundAtMs
    const changed = isRoundDue ? undefined : await this.#follower.changed()
    this.#queue.add(changed ?? (await this.#list()))
    if (changed !== undefined) return
    this.#nextRoundAtMs = startMs + this.#options.every * 1000
    this.#rounds++
  }

  /** Lists the facilities. An error that retries cannot solve, such as an invalid token, ends the command. */
  async #list(): Promise<string[]> {
    try {
      return await this.#follower.list()
    } catch (error) {
      throw error instanceof RemoteRefusal ? new Failure(escapeControls(error.message)) : error
    }
  }

  /** Reads the facilities that are due, until several in a row have failed. The others wait for the next poll. */
  async #readDue(): Promise<void> {
    const ids = this.#queue.nextPoll()
    const progress = longProgress()
    let failuresInRow = 0
    try {
      for (const [index, id] of ids.entries()) {
        const isRead = await this.#attempt(() => this.#mirror(id))
        if (isRead) this.#queue.done(id)
        else this.#queue.failed(id)
        failuresInRow = isRead ? 0 : failuresInRow + 1
        if (failuresInRow === maxFailuresInRow) return
        progress.show(`Read ${index + 1} of ${ids.length} facilities`, (index + 1) / ids.length)
      }
    } finally {
      progress.clear()
    }
    if (!this.#isFirstRound || !this.#queue.isEmpty) return
    this.#isFirstRound = false
    say(`first round complete: ${plural(this.#differences, 'difference')}`)
  }

  async #mirror(id: string): Promise<void> {
    const reading = await this.#follower.read(id)
    this.#signal.throwIfAborted()
    if (reading === undefined) return
    const notes = new Notes()
    try {
      await this.#write(reading.seen, notes)
      reading.accept()
    } catch (error) {
      if (!(error instanceof EstateFaults)) throw error
      for (const { message } of error.faults) notes.add(`facilities that cannot be as they are there: ${message}`, id)
    }
    this.#notes.set(id, notes.list())
  }

  async #write(seen: SeenFacility, notes: Notes): Promise<void> {
    const { limits, eventEndingSeconds: endingSeconds } = this.#config
    const { timezone } = this.#options
    const facility = convertFacility(seen, limits, notes)
    if (facility === undefined) return
    const wanted = { ...facility, ...(timezone !== undefined && { timezone }) }
    for (const difference of await mirrorFacility(this.#db, wanted)) this.#printDifference(differenceLine(difference))
    if (seen.areas === undefined) return
    const zone = timezone ?? (await findTimezone(this.#db, seen.id))
    const rooms = convertRooms(seen, { timezone: zone, limits }, notes)
    const { changed, left } = await mirrorRooms(this.#db, seen.id, rooms, { limits, endingSeconds })
    for (const room of changed) this.#printDifference(`~ room ${room}`)
    for (const { room, why } of left) notes.add(why, room)
  }

  #printDifference(line: string): void {
    this.#differences++
    if (this.#options.json) printJson({ at: new Date().toISOString(), difference: line })
    else print(escapeControls(line))
  }

  end(requests: number): number {
    const notes = new Notes()
    for (const own of this.#notes.values()) notes.merge(own)
    const [rounds, differences] = [this.#rounds, this.#differences]
    const unread = [...(this.#pollSucceeded ? [] : ['the list of facilities']), ...this.#queue.listFailed()]
    if (this.#options.json) printJson({ rounds, requests, differences, not_read: unread, not_mirrored: notes.list() })
    else {
      if (notes.list().length > 0) print('Not mirrored, or to be checked:')
      for (const line of noteLines(notes.list())) print(`  ${line}`)
      print(`${plural(rounds, 'round')}, ${plural(requests, 'request')}, ${plural(differences, 'difference')} written`)
      if (unread.length > 0) print(escapeControls(`Not read: ${unread.join(', ')}`))
    }
    return unread.length > 0 ? 1 : 0
  }
}
