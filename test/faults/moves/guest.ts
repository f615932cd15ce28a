import type { Random } from '../../torture/random.ts'
import { refused } from '../../torture/room-book.ts'
import type { Answer, RoomClient } from '../../torture/room-client.ts'

export interface Area {
  id_external: string
  cycle: string | null
  data_services: { code: string }[]
}

type Step = { kind: 'move'; from: string; to: string; key: string } | { kind: 'add'; code: string; key: string }

/** A guest, and where its only client expects it: after all acknowledged steps, and perhaps after the pending one. */
export class Guest {
  room: string
  readonly cycle: string
  acknowledged = 0
  retried = 0
  #codes: string[] = []
  #pending: Step | undefined
  #steps = 0

  constructor(room: string, cycle: string) {
    this.room = room
    this.cycle = cycle
  }

  /** Sends the next step, or the pending one again with the same key. */
  async step(client: RoomClient, url: string, rooms: string[], random: Random): Promise<Answer | undefined> {
    if (this.#pending !== undefined) this.retried++
    const step = this.#pending ?? this.#draw(rooms, random)
    this.#pending = step
    const answer = await send(client, url, this.room, step)
    if (answer !== undefined) this.#settle(step, answer)
    return answer
  }

  /** Finds what is wrong with a list of all rooms; undefined when the guest is in one room, with all services. */
  judge(areas: Area[], isQuiet: boolean): string | undefined {
    const found = areas.filter(({ cycle }) => cycle === this.cycle)
    const [area] = found
    if (area === undefined || found.length > 1) {
      const ids = found.map(({ id_external: id }) => id).join(' and ')
      return `the guest of cycle ${this.cycle} is in ${ids || 'no room'}`
    }
    if (!isQuiet) return undefined
    const codes = area.data_services.map(({ code }) => code).join()
    const before = `${this.room}: ${this.#codes}`
    const after = this.#pending && this.#after(this.#pending)
    const shown = `${area.id_external}: ${codes}`
    return shown === before || shown === after ? undefined : `${shown} is shown where ${before} or ${after} is right`
  }

  #draw(rooms: string[], random: Random): Step {
    const key = `${this.cycle} ${++this.#steps}`
    if (this.#codes.length < 12 && random.chance(0.3)) return { kind: 'add', code: `s${this.#steps}`, key }
    return { kind: 'move', from: this.room, to: random.pick(rooms.filter((room) => room !== this.room)), key }
  }

  #after(step: Step): string {
    return step.kind === 'move' ? `${step.to}: ${this.#codes}` : `${this.room}: ${[...this.#codes, step.code]}`
  }

  #settle(step: Step, { status, body }: Answer): void {
    if (status === 503 || body?.code === 'idempotency_key_in_use') return
    this.#pending = undefined
    if (step.kind === 'move' && body?.code === 'room_occupied') return
    if (status !== 200) throw refused(`${JSON.stringify(step)} returned ${status} ${JSON.stringify(body)}`)
    this.acknowledged++
    if (step.kind === 'move') this.room = step.to
    else this.#codes.push(step.code)
  }
}

function send(client: RoomClient, url: string, room: string, step: Step): Promise<Answer | undefined> {
  if (step.kind === 'move') {
    return client.ask(url, 'POST', `/v1/areas/${step.from}/move`, { key: step.key, body: { to: step.to } })
  }
  const value = JSON.stringify([{ code: step.code }])
  return client.ask(url, 'POST', `/v1/areas/${room}/data_services`, { key: step.key, body: { value } })
}
