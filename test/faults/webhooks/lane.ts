import { changeProperty } from '../../../src/operations/facility.ts'
import { type Db, openDatabase } from '../../../src/storage/database.ts'
import { type Engine, type FreshDatabase, migratedDatabase } from '../../harness/databases.ts'
import { fill } from '../../torture/fill.ts'
import type { Run, Violation } from '../../torture/harness.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import type { Random } from '../../torture/random.ts'
import { SlowReceiver } from './receiver.ts'

const grants = [{ facilities: '*', read: '*', write: '*', rooms: '*' }]
const estate = {
  facilities: [{ id_external: 'f', name: 'F' }],
  partners: [
    { id: 'keeper', name: 'Keeper', webhooks: true, grants },
    { id: 'writer', name: 'Writer', grants },
  ],
}
const paths = ['/one', '/other']
const changesAtMost = 6

/** Nodes on one database that send to two endpoints, and are killed while they send; other clients make the changes. */
export class Lane {
  readonly #run: Run
  readonly #engine: Engine
  readonly #random: Random
  readonly #receiver: SlowReceiver
  #database: FreshDatabase | undefined
  #db: Db | undefined
  #nodes: AtriumNode[] = []
  committed: string[] = []
  /** Kills that interrupted a delivery, and all kills. */
  kills = { ofSenders: 0, all: 0 }

  constructor(run: Run, engine: Engine, random: Random) {
    this.#run = run
    this.#engine = engine
    this.#random = random
    this.#receiver = new SlowReceiver(random.branch())
  }

  /** What both endpoints have accepted. Duplicates are allowed: a node killed before the response cannot know of it. */
  get taken(): { delivered: number; doubled: number } {
    const all = [...this.#receiver.taken.values()]
    const delivered = all.reduce((sum, names) => sum + new Set(names).size, 0)
    return { delivered, doubled: all.reduce((sum, names) => sum + names.length, 0) - delivered }
  }

  /** The events that both must get. */
  get due(): number {
    return this.committed.length * paths.length
  }

  async run(count: number, killed: () => void): Promise<Violation[]> {
    const url = await this.#receiver.start()
    this.#database = await migratedDatabase(this.#engine)
    const { keeper = '' } = await fill(this.#database.url, estate)
    this.#db = openDatabase(this.#database.url)
    const size = this.#engine === 'postgres' ? 2 : 1
    for (let at = 0; at < size; at++) this.#nodes.push(await this.#start())
    for (const path of paths) await this.#keep(keeper, url + path)
    while (this.kills.ofSenders < count && !this.#run.signal.aborted) {
      await this.#killOnce()
      killed()
    }
    return this.#judge()
  }

  #start(): Promise<AtriumNode> {
    const settings = { ATRIUM_DATABASE: this.#database?.url ?? '', ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }
    return startNode(this.#run.build, { settings })
  }

  async #keep(token: string, url: string): Promise<void> {
    const response = await fetch(`${this.#nodes[0]?.url}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, types: ['facility.updated'] }),
    })
    if (response.status !== 200) throw new Error(`a webhook was not accepted: ${await response.text()}`)
  }

  /** Kills a node when a delivery is in progress; it counts if that node was the sender. */
  async #killOnce(): Promise<void> {
    for (let left = this.#random.below(changesAtMost); left > 0; left--) await this.#commit()
    const arrival = this.#receiver.arrival(this.#run.signal)
    // Now and then the kill comes while the response is on its way, so the event is sent again.
    if (this.#random.chance(0.8)) this.#receiver.hold()
    await this.#commit()
    await arrival
    const at = this.#random.below(this.#nodes.length)
    const before = this.#receiver.cutOff
    await this.#nodes[at]?.end('SIGKILL')
    this.kills.all++
    await this.#receiver.release()
    if (this.#receiver.cutOff > before) this.kills.ofSenders++
    await this.#commit()
    this.#nodes[at] = await this.#start()
  }

  async #commit(): Promise<void> {
    const name = `name ${this.committed.length + 1}`
    const actor = { kind: 'partner', name: 'writer', token: null, requestId: null, address: null } as const
    const change = { facility: 'f', property: 'name', precondition: {} } as const
    await changeProperty(this.#db as Db, { partner: { id: 'writer' }, token: undefined, actor }, change, name)
    this.committed.push(name)
  }

  /** Once the last event has arrived everywhere, all before it must have. */
  async #judge(): Promise<Violation[]> {
    await this.#commit()
    await this.#receiver.whenTaken(this.committed.at(-1) ?? '', paths, this.#run.signal)
    return paths.flatMap((path) => {
      const first = [...new Set(this.#receiver.taken.get(path))]
      // If the run ends before the last event has arrived, gaps between arrived events are still violations.
      const due = this.#run.signal.aborted ? first.length : this.committed.length
      const at = this.committed.slice(0, due).findIndex((name, index) => first[index] !== name)
      if (at === -1) return []
      const what = first.includes(this.committed[at] ?? '') ? 'came out of order' : 'was never taken'
      const history = [
        `committed: ${this.committed.slice(Math.max(0, at - 2), at + 3).join(', ')}`,
        `taken: ${first.slice(Math.max(0, at - 2), at + 3).join(', ')}`,
      ]
      return [{ what: `${this.#engine}: "${this.committed[at]}" ${what} at ${path}`, history }]
    })
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.end('SIGKILL')
    await this.#receiver.close()
    await this.#db?.close()
    await this.#database?.drop()
  }
}
