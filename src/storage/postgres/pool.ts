import pg from 'pg'
import { Connection, noAnswer } from './connection.ts'
import { coded, isAway, lineTooLongCode } from './errors.ts'
import { afterWaiting } from './patience.ts'
import type { Primary } from './primary.ts'

export type Taken = Connection & Pick<pg.PoolClient, 'release'>

/** For a server that does not say goodbye. */
const leavingMs = 1000
/** Shorter than a row is waited for: whoever stands in line behind those who wait for one is told before it is their turn. */
const waitWithinMs = 4500

/** Connections to whichever server takes writes. */
export class Pool {
  readonly #primary: Primary
  readonly #pool: pg.Pool
  readonly #open = new Set<Connection>()

  constructor(primary: Primary, max: number, settings: Record<string, string>) {
    this.#primary = primary
    const lost = (error: Error) => void primary.find(error).catch(() => {})
    const made = class extends Connection {
      constructor() {
        super({ url: primary.url, era: primary.era, settings, lost })
      }
    }
    this.#pool = new pg.Pool({ max, Client: made } as pg.PoolConfig)
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => this.#open.add(client as unknown as Connection))
    this.#pool.on('remove', (client) => this.#open.delete(client as unknown as Connection))
  }

  async take(): Promise<Taken> {
    for (;;) {
      const taken = await this.#connect()
      if (taken.era === this.#primary.era && !taken.isBroken) return taken
      taken.release(true)
    }
  }

  async #connect(): Promise<Taken> {
    if (this.#primary.isLost && this.#pool.idleCount === 0) await this.#primary.find()
    try {
      return await this.#free()
    } catch (error) {
      if (!isAway(error)) throw error
      await this.#primary.find(error)
      return await this.#free()
    }
  }

  #free(): Promise<Taken> {
    const free = this.#pool.connect() as unknown as Promise<Taken>
    return this.#pool.waitingCount > this.#pool.idleCount ? inLine(free) : free
  }

  async use<T>(withinMs: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const taken = await this.take()
    let isSound = false
    try {
      const result = await taken.within(withinMs, work(taken))
      isSound = true
      return result
    } finally {
      taken.release(!isSound)
    }
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => {
      for (const connection of this.#open) connection.cut(noAnswer())
    }, leavingMs)
    await this.#pool.end()
    clearTimeout(timer)
  }
}

function inLine(free: Promise<Taken>): Promise<Taken> {
  return new Promise((resolve, reject) => {
    let isGone = false
    const leave = afterWaiting(waitWithinMs, () => {
      isGone = true
      reject(coded(lineTooLongCode, 'all connections were in use for too long'))
    })
    free.then((taken) => (isGone ? taken.release() : resolve(taken)), reject).finally(leave)
  })
}
