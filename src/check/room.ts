import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../domain/json.ts'
import { expectEnd, type FoundArea, servicesIn } from './areas.ts'
import { type Examiner, expect, expectArray, expectObject, preview, skip } from './examiner.ts'

type Service = Record<string, unknown>

/**
 * Checks sections 4.7 to 4.9 and 7 of the specification in one room, which must be closed and empty unless `force` is
 * set. With `force`, a room without services may be open and gets a new cycle. In a room with services, opening and
 * closing are skipped, and only the services that this check added are deleted.
 */
export async function checkRoom(examiner: Examiner, area: FoundArea, force: boolean): Promise<void> {
  const occupied = reasonToSkip(area)
  if (occupied !== undefined && !force) {
    const detail = `${area.id} ${occupied}: name a closed, empty room, or add --force`
    examiner.results.push({ section: '4.7', rule: 'The room can be tried out', verdict: 'skipped', detail })
    return
  }
  const room = new Room(examiner, area)
  const isEmpty = area.services.length === 0
  if (isEmpty) await room.resetBy('POST', 'opening')
  else room.skipCycle()
  await room.add()
  await room.refuse()
  await room.delete()
  if (isEmpty) {
    await room.resetBy('DELETE', 'closing')
    await room.restore()
  }
  examiner.changes.push(`events of all this were sent to the partners that follow ${area.facility}`)
}

/** Returns why the room must not be changed without `force`; undefined when it is closed and empty. */
function reasonToSkip({ services, isOpen }: FoundArea): string | undefined {
  if (services.length > 0) return 'holds services'
  if (isOpen) return 'is open'
  return isOpen === undefined ? 'may be open (this installation does not say)' : undefined
}

class Room {
  readonly #examiner: Examiner
  readonly #area: FoundArea
  readonly #path: string
  readonly #servicesPath: string
  /** The services of the room, as the last response showed them. */
  #current: Service[]
  /**
   * The id of the cycle (the stay) that this check began. Later changes name it: if a guest arrives meanwhile, which
   * begins another cycle, they are refused and do not affect the guest.
   */
  #cycle: string | undefined

  constructor(examiner: Examiner, area: FoundArea) {
    this.#examiner = examiner
    this.#area = area
    this.#path = `/v1/areas/${encodeURIComponent(area.id)}/`
    this.#servicesPath = `${this.#path}data_services`
    this.#current = area.services
  }

  /** Records opening and closing as skipped, because they would delete the guest's services. */
  skipCycle(): void {
    for (const word of ['Opening', 'Closing']) {
      const detail = `${this.#area.id} holds services: name a room that is empty`
      const rule = `${word} a room resets data_services`
      this.#examiner.results.push({ section: '4.9', rule, verdict: 'skipped', detail })
    }
  }

  /** Checks section 4.9: opening or closing the room deletes a service. */
  async resetBy(method: 'POST' | 'DELETE', word: string): Promise<void> {
    const rule = `${word === 'opening' ? 'Opening' : 'Closing'} a room resets data_services`
    await this.#examiner.rule('4.9', rule, async () => {
      const code = uniqueCode('reset')
      await this.#examiner.requestOk('POST', this.#servicesPath, { body: legacy([{ code }]), headers: this.#headers })
      const { json } = await this.#examiner.requestOk(method, this.#path, { headers: this.#headers })
      this.#cycle = cycleIn(json)
      this.#examiner.changes.push(`${this.#area.id} was ${method === 'POST' ? 'opened' : 'closed'}`)
      const left = await servicesIn(this.#examiner, this.#area)
      expect(left.length === 0, `afterwards there are ${preview(left)}`)
      this.#current = []
    })
  }

  /** Checks sections 2.4 and 4.7 of the specification: adding services. */
  async add(): Promise<void> {
    const codes = [uniqueCode('tv'), uniqueCode('internet')]
    const own = { id: 'mine', label: 'Conformance', end: '2099-12-31T10:00:00Z' }
    const returned = await this.#examiner.rule('4.7', 'Adding returns info and services.data_services', async () => {
      const body = legacy(codes.map((code) => ({ ...own, code })))
      const { json } = await this.#examiner.requestOk('POST', this.#servicesPath, { body, headers: this.#headers })
      const { info, services } = expectObject(json, 'the response')
      expect(typeof info === 'string', `info is ${preview(info)}, not a string`)
      const list = expectArray(expectObject(services, 'services').data_services, 'services.data_services')
      return list.map((service) => expectObject(service, 'a subscription'))
    })
    if (returned === undefined) return
    const added = returned.filter(({ code }) => codes.includes(code as string))
    await this.#examiner.rule(
      '4.7.1',
      'Every added subscription has an id of its own, made by the service',
      async () => {
        const ids = added.map(({ id }) => id)
        const areMade = ids.every((id) => typeof id === 'string' && id !== '' && id !== own.id)
        expect(areMade && new Set(ids).size === codes.length, `the ids are ${preview(ids)}`)
      },
    )
    await this.#examiner.rule('4.7.2', 'New subscriptions stand behind those that were there', async () => {
      const order = returned.map(({ code }) => code)
      const expected = [...this.#current.map(({ code }) => code), ...codes]
      expect(isDeepStrictEqual(order, expected), `the codes are ${preview(order)} in place of ${preview(expected)}`)
    })
    await this.#examiner.rule('2.4', 'A subscription comes back with its fields', async () => {
      expect(added.length === codes.length, `${added.length} of ${codes.length} came back`)
      for (const { label, end } of added) {
        expect(label === own.label, `the label is ${preview(label)} in place of ${preview(own.label)}`)
        expectEnd(end)
      }
    })
    this.#current = returned
  }

  /** Checks section 7 of the specification: malformed bodies are refused and change nothing. */
  async refuse(): Promise<void> {
    const bad: [what: string, body: unknown][] = [
      ['without "value"', { data_services: '[]' }],
      ['whose value is an array instead of a string', { value: [{ code: uniqueCode('array') }] }],
      ['whose value is no JSON', { value: '[{' }],
      ['that is no JSON itself', '{"value": '],
    ]
    for (const [what, body] of bad) {
      await this.#examiner.rule('7', `A body ${what} is 400`, async () => {
        const { status } = await this.#examiner.request('POST', this.#servicesPath, { body })
        if (status === 403) skip('services are not granted to this token (403)')
        expect(status === 400, `the response has status ${status}`)
      })
    }
    await this.#examiner.rule('7', 'What was refused has changed nothing', async () => {
      const [codes, expected] = [await servicesIn(this.#examiner, this.#area), this.#current].map((list) =>
        list.map(({ code }) => code),
      )
      expect(isDeepStrictEqual(codes, expected), `the codes are ${preview(codes)} in place of ${preview(expected)}`)
    })
    await this.#examiner.rule('7', 'The services of an unknown area are 404', async () => {
      const unknown = `/v1/areas/${encodeURIComponent(`${this.#area.id}-${uniqueCode('unknown')}`)}/data_services`
      const { status } = await this.#examiner.request('POST', unknown, { body: legacy([{ code: 'x' }]) })
      expect(status === 404, `the response has status ${status}`)
    })
  }

  /** Checks section 4.8 of the specification: deleting services. */
  async delete(): Promise<void> {
    const existing = this.#current.slice(0, this.#area.services.length)
    for (const { id, code } of this.#current.slice(existing.length)) {
      await this.#examiner.rule('4.8', `Deleting returns info, id and remaining_services (${code})`, async () => {
        const { json } = await this.#examiner.requestOk('DELETE', this.#pathOf(id), { headers: this.#headers })
        const { info, id: deleted, remaining_services: remaining } = expectObject(json, 'the response')
        expect(typeof info === 'string', `info is ${preview(info)}, not a string`)
        expect(deleted === id, `id is ${preview(deleted)} in place of ${preview(id)}`)
        const ids = expectArray(remaining, 'remaining_services').map((one) => expectObject(one, 'a subscription').id)
        const expected = this.#current.map((service) => service.id).filter((one) => one !== id)
        expect(isDeepStrictEqual(ids, expected), `${preview(ids)} remain in place of ${preview(expected)}`)
        this.#current = this.#current.filter((service) => service.id !== id)
      })
    }
    await this.#examiner.rule('4.8', 'What was deleted is gone', async () => {
      const ids = (await servicesIn(this.#examiner, this.#area)).map(({ id }) => id)
      const expected = existing.map(({ id }) => id)
      expect(isDeepStrictEqual(ids, expected), `${preview(ids)} are there in place of ${preview(expected)}`)
      this.#examiner.changes.push(`what was added to ${this.#area.id} is deleted again`)
    })
  }

  /** Opens the room again if it was open before this check. It then has a new cycle. */
  async restore(): Promise<void> {
    if (this.#area.isOpen !== true) return
    const { status } = await this.#examiner.request('POST', this.#path)
    const is =
      status < 300
        ? 'opened again with a new cycle'
        : `left closed: the response to opening it again has status ${status}`
    this.#examiner.changes.push(`${this.#area.id} was ${is}; the stay that it had has ended`)
  }

  get #headers(): Record<string, string> {
    return this.#cycle === undefined ? {} : { 'atrium-cycle': this.#cycle }
  }

  /** Refuses ids such as `..`, which `fetch` would resolve to the path of the room itself. */
  #pathOf(id: unknown): string {
    expect(typeof id === 'string' && !['', '.', '..'].includes(id), `the id of a subscription is ${preview(id)}`)
    return `${this.#servicesPath}/${encodeURIComponent(id)}`
  }
}

function cycleIn(json: unknown): string | undefined {
  const { area } = isObject(json) ? json : {}
  return isObject(area) && typeof area.cycle === 'string' ? area.cycle : undefined
}

function legacy(services: object[]): { value: string } {
  return { value: JSON.stringify(services) }
}

/** Returns a service code that no other run of this check uses. */
function uniqueCode(word: string): string {
  return `check-${word}-${randomUUID().slice(0, 8)}`
}
