import { RoomClient } from '../../torture/room-client.ts'

const waitSeconds = 5
/** Longer than any transaction waits for a lock. */
const patienceMs = 8000

interface Ends {
  /** The node that makes the changes, and the one that is polled for events. */
  writing: string
  listening: string
  token: string
}

/** The delay of an event after the acknowledgement of its change; undefined if it did not arrive. */
export interface Heard {
  name: string
  ms: number | undefined
}

/** Makes a change on one node and waits for its event on another. */
export class Listener {
  readonly #ends: Ends
  readonly #client: RoomClient
  #next: string
  #changes = 0

  private constructor(ends: Ends, client: RoomClient, next: string) {
    this.#ends = ends
    this.#client = client
    this.#next = next
  }

  static async begin(ends: Ends): Promise<Listener> {
    const client = new RoomClient(ends.token)
    const begun = await client.ask(ends.listening, 'GET', '/v1/events')
    if (begun?.status !== 200) throw new Error(`the request for events returned ${begun?.status}`)
    return new Listener(ends, client, begun.body.next)
  }

  async change(): Promise<Heard> {
    const name = `name ${++this.#changes}`
    const body = { value: name }
    const changed = await this.#client.ask(this.#ends.writing, 'PATCH', '/v1/facilities/f/name', { body })
    if (changed?.status !== 200) throw new Error(`a change returned ${changed?.status}`)
    const startMs = performance.now()
    while (performance.now() - startMs < patienceMs) {
      if (await this.#hears(name)) return { name, ms: performance.now() - startMs }
    }
    return { name, ms: undefined }
  }

  async #hears(name: string): Promise<boolean> {
    const path = `/v1/events?after=${this.#next}&wait=${waitSeconds}`
    const answer = await this.#client.ask(this.#ends.listening, 'GET', path)
    if (answer?.status !== 200) throw new Error(`the request for events returned ${answer?.status}`)
    this.#next = answer.body.next
    return answer.body.data.some((event: { data: { new?: string } }) => event.data.new === name)
  }

  end(): void {
    this.#client.close()
  }
}
