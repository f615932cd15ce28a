import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../torture/random.ts'
import { Wire } from '../../torture/wire.ts'

/** A change that was sent, as the audit log names it. */
export interface Change {
  action: string
  /** The new name, or the code of the subscription; undefined for the room. */
  value: string
}

/** Writes to a facility with one room of its own; each change is acknowledged before the next is sent. */
export class Writer {
  readonly facility: string
  readonly room: string
  /** All changes that were sent, in order; each changes something. */
  readonly sent: Change[] = []
  /** How many of them were acknowledged. */
  acknowledged = 0
  readonly #wire: Wire
  readonly #token: string
  readonly #random: Random
  #services: { id: string; code: string }[] = []

  constructor(url: string, token: string, facility: string, random: Random) {
    this.#wire = new Wire(url)
    this.#token = token
    this.facility = facility
    this.room = `${facility}-1`
    this.#random = random
  }

  /** Sends one change after the other until it is stopped; throws when a response is not a success. */
  async work(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await this.#change()
        // Leaves processor time to the backup.
        await pause(5)
      }
    } finally {
      this.#wire.close()
    }
  }

  #change(): Promise<void> {
    const value = String(this.sent.length + 1)
    const [oldest] = this.#services
    if (this.#random.chance(0.35)) {
      return this.#send({ action: 'facility.change', value }, `PATCH /v1/facilities/${this.facility}/name`, { value })
    }
    if (this.#random.chance(0.1)) return this.#send({ action: 'room.open', value: '' }, `POST /v1/areas/${this.room}`)
    if (oldest !== undefined && (this.#services.length > 3 || this.#random.chance(0.3))) {
      const path = `/v1/areas/${this.room}/data_services/${oldest.id}`
      return this.#send({ action: 'services.delete', value: oldest.code }, `DELETE ${path}`)
    }
    const body = { value: JSON.stringify([{ code: value }]) }
    return this.#send({ action: 'services.add', value }, `POST /v1/areas/${this.room}/data_services`, body)
  }

  async #send(change: Change, line: string, body?: object): Promise<void> {
    this.sent.push(change)
    const text = body === undefined ? '' : JSON.stringify(body)
    const head = [`${line} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${this.#token}`]
    if (text !== '') head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
    const answer = await this.#wire.ask({ bytes: `${head.join('\r\n')}\r\n\r\n${text}` })
    if (answer?.status !== 200) throw new Error(`${line} returned ${answer?.status}: ${answer?.body}`)
    const { services, remaining_services: remaining, area } = JSON.parse(answer.body)
    this.#services = services?.data_services ?? remaining ?? area?.data_services ?? this.#services
    this.acknowledged++
  }
}
