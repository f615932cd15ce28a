import { setTimeout as pause } from 'node:timers/promises'
import { storedTables } from '../../../src/storage/tables.ts'
import type { Engine } from '../../harness/databases.ts'
import { withDb } from '../../harness/with-db.ts'
import { startBalancer } from '../../torture/balancer.ts'
import type { Planted, Violation } from '../../torture/harness.ts'
import { type Installation, install } from '../../torture/installation.ts'
import { type AtriumNode, startNode } from '../../torture/node.ts'
import { plant } from '../../torture/plant.ts'
import type { Random } from '../../torture/random.ts'
import { Wire } from '../../torture/wire.ts'
import { checkRestored } from '../backup/check.ts'
import { Writer } from '../backup/writer.ts'

const facilities = ['w0', 'w1', 'w2', 'w3']
const estate = {
  facilities: facilities.map((id) => {
    return { id_external: id, name: 'new', room_services: true, areas: [{ id: '1', name: '1' }] }
  }),
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** A simulated next version: its migration adds a column to every table, a table and an index. */
const nextVersion: Planted = {
  name: 'the next version',
  file: 'src/storage/migrate.ts',
  find: 'const known = migrations.map(({ name }) => name)',
  replace: `migrations.push({
  name: '9999-next',
  async up(tx) {
    const { text } = tx.dialect
    const run = (statement: string) => sql.raw(statement).execute(tx.query)
    for (const table of ${JSON.stringify(Object.keys(storedTables))}) {
      await run(\`alter table \${table} add column next_note \${text} not null default 'x'\`)
    }
    await run(\`create table next_thing (id \${text} primary key)\`)
    await run('create index next_by_name on area (name)')
  },
})
const known = migrations.map(({ name }) => name)`,
}

/** The load balancer polls many times a second. */
const soon = { ATRIUM_DRAIN_SECONDS: '1' }

export interface Upgraded {
  changes: number
  violations: Violation[]
}

/** Starts a node of the next version, which migrates while the others serve; then these stop. No request may fail. */
export async function upgradeUnderLoad(build: string, engine: Engine, random: Random): Promise<Upgraded> {
  using next = plant(nextVersion, build)
  const before = await install(build, { name: engine, engine, nodes: 1, settings: soon }, estate)
  const balancer = await startBalancer(before.nodes.map(({ url }) => url))
  const joined: AtriumNode[] = []
  const stopping = new AbortController()
  const writers = facilities.map((facility) => {
    return new Writer(balancer.url, before.tokens.p ?? '', facility, random.branch())
  })
  const failures: string[] = []
  const workers = [...writers, new Reader(balancer.url, before.tokens.p ?? '')]
  const working = workers.map((one) => one.work(stopping.signal).catch((error) => failures.push(error.message)))
  try {
    await progressOf(workers, failures)
    const settings = { ATRIUM_DATABASE: before.databaseUrl, ATRIUM_LOG: 'warn' }
    joined.push(await startNode(next.build, { settings }))
    await progressOf(workers, failures)
    for (const { url } of joined) await balancer.add(url)
    await progressOf(workers, failures)
    await Promise.all(before.nodes.map((node) => node.end(failures.length === 0 ? 'SIGTERM' : 'SIGKILL')))
    await progressOf(workers, failures)
    stopping.abort()
    await Promise.all(working)
    return { changes: sum(writers), violations: await faults(before, writers, failures) }
  } finally {
    stopping.abort()
    await Promise.all(working)
    await balancer.close()
    await Promise.all(joined.map((node) => node.end('SIGKILL')))
    await before.stop()
  }
}

const read = facilities.flatMap((id) => [`/v1/facilities/${id}`, `/v1/facilities/${id}/areas`, `/v1/areas/${id}-1`])

/** Reads what the writers change, so that it is loaded again. */
class Reader {
  acknowledged = 0
  readonly #url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  async work(signal: AbortSignal): Promise<void> {
    const wire = new Wire(this.#url)
    try {
      while (!signal.aborted) {
        const line = `GET ${read[this.acknowledged % read.length]}`
        const head = [`${line} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${this.#token}`]
        const answer = await wire.ask({ bytes: `${head.join('\r\n')}\r\n\r\n` })
        if (answer?.status !== 200) throw new Error(`${line} returned ${answer?.status}: ${answer?.body}`)
        this.acknowledged++
        await pause(5)
      }
    } finally {
      wire.close()
    }
  }
}

/** In each phase everything is read more than once, over each connection to the database. */
const answersInPhase = 3 * read.length

/** Waits until each client has had some more responses, or one has failed. */
async function progressOf(workers: { acknowledged: number }[], failures: string[]): Promise<void> {
  const goals = workers.map(({ acknowledged }) => acknowledged + answersInPhase)
  while (failures.length === 0 && workers.some(({ acknowledged }, at) => acknowledged < (goals[at] ?? 0))) {
    await pause(5)
  }
}

async function faults(before: Installation, writers: Writer[], failures: string[]): Promise<Violation[]> {
  const bounds = writers.map((writer) => {
    return { writer, acknowledgedBefore: writer.acknowledged, sentAfter: writer.sent.length }
  })
  const lost = await withDb(before.databaseUrl, (db) => checkRestored(db, bounds))
  return [...failures.map((what) => ({ what: `a request failed: ${what}`, history: [] })), ...lost]
}

function sum(writers: Writer[]): number {
  return writers.reduce((all, { acknowledged }) => all + acknowledged, 0)
}
