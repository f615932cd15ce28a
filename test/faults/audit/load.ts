import type { RoomsDatabase } from '../../torture/database.ts'
import type { Run } from '../../torture/harness.ts'
import { Line, type LineRequest } from '../../torture/line.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'

/** An operation that would change something, and its result. */
export interface Operation {
  /** The request id, which its audit entry also has. */
  id: string
  action: string
  request: string
  /** Acknowledged: a response said that it was done. */
  acknowledged: boolean
}

export interface Load {
  operations: number
  kills: number
  done: Operation[]
  /** The rooms and the facility as the API returns them at the end. */
  rooms: { id_external: string; cycle: string | null; data_services: { id: string }[] }[]
  facilityName: string
}

/** Each client has a room of its own; all of them rename the same facility. */
export const clients = 4
const operationsBetweenKills = 100

/** Changes rooms and the facility, and kills the node in the middle of it, again and again. */
export async function change(run: Run, database: RoomsDatabase, random: Random): Promise<Load> {
  const load: Load = { operations: 0, kills: 0, done: [], rooms: [], facilityName: '' }
  const visitors = Array.from({ length: clients }, (_, n) => new Visitor(`f-${n}`, random.branch()))
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'warn' }
  let node = await startNode(run.build, { settings })
  try {
    while (load.operations < run.count && !run.signal.aborted) {
      const share = Math.min(operationsBetweenKills, run.count - load.operations)
      await untilKilled(node, database.token, visitors, share, load)
      load.operations += share
      run.progress(load.operations)
      load.kills++
      node = await startNode(run.build, { settings })
    }
    const line = lineTo(node, database.token)
    load.rooms = JSON.parse((await line.ask({ method: 'GET', path: '/v1/facilities/f/areas' }))?.text ?? '[]')
    load.facilityName = JSON.parse((await line.ask({ method: 'GET', path: '/v1/facilities/f/' }))?.text ?? '{}').name
    line.cut()
  } finally {
    await node.end('SIGKILL')
  }
  return load
}

function lineTo({ url }: AtriumNode, token: string): Line {
  return new Line(url, { Authorization: `Bearer ${token}` })
}

/** Kills the node when the first client has finished, while the others are still writing. */
async function untilKilled(node: AtriumNode, token: string, visitors: Visitor[], count: number, load: Load) {
  let left = count
  let isKilled = false
  const visits = visitors.map(async (visitor) => {
    const line = lineTo(node, token)
    while (left-- > 0) load.done.push(await visitor.visit(line))
    if (!isKilled) {
      isKilled = true
      await node.end('SIGKILL')
    }
    line.cut()
  })
  await Promise.all(visits)
}

let requests = 0

class Visitor {
  readonly #room: string
  readonly #random: Random
  #ids: string[] = []
  /** The state as far as the client knows it. */
  #isOpen = false

  constructor(room: string, random: Random) {
    this.#room = room
    this.#random = random
  }

  async visit(line: Line): Promise<Operation> {
    const { action, ...request } = this.#next()
    const id = `op-${++requests}`
    const answer = await line.ask({ ...request, headers: { 'X-Request-Id': id } })
    const acknowledged = answer?.status === 200
    if (!acknowledged) this.#forget()
    else if (action.startsWith('services')) {
      const { services, remaining_services } = JSON.parse(answer.text)
      this.#ids = (services?.data_services ?? remaining_services).map((service: { id: string }) => service.id)
    } else if (action.startsWith('room')) {
      this.#forget()
      this.#isOpen = action === 'room.open'
    }
    return { id, action, request: `${request.method} ${request.path}`, acknowledged }
  }

  #forget(): void {
    this.#ids = []
    this.#isOpen = false
  }

  #next(): LineRequest & { action: string } {
    const area = `/v1/areas/${this.#room}/`
    const dice = this.#random.below(10)
    if (dice < 2) {
      const body = { value: `Name ${requests}` }
      return { action: 'facility.change', method: 'PATCH', path: '/v1/facilities/f/name', body }
    }
    if (dice < 4 && this.#ids.length > 0) {
      return {
        action: 'services.delete',
        method: 'DELETE',
        path: `${area}data_services/${this.#random.pick(this.#ids)}`,
      }
    }
    if (dice < 5) return { action: 'room.open', method: 'POST', path: area }
    // Closing a room that is closed and empty changes nothing.
    if (dice < 6 && (this.#isOpen || this.#ids.length > 0))
      return { action: 'room.close', method: 'DELETE', path: area }
    const value = JSON.stringify([{ code: `tv-${requests}`, label: 'Television' }])
    return { action: 'services.add', method: 'POST', path: `${area}data_services`, body: { value } }
  }
}
