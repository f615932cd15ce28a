import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../harness/databases.ts'
import { PgBouncer } from '../harness/pgbouncer.ts'
import { roomsEstate } from '../torture/database.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { type AtriumNode, beginNode, runAtrium, startNode } from '../torture/node.ts'
import { plant } from '../torture/plant.ts'
import { Random } from '../torture/random.ts'
import { Broken } from '../torture/room-book.ts'
import { Load, rooms } from '../torture/room-load.ts'

const planted: Planted[] = [
  {
    name: 'every pooler is taken for one that keeps a server for each session',
    file: 'src/storage/postgres/server-check.ts',
    find: '  if (isKept) return\n',
    replace: '  if (isKept || !isKept) return\n',
  },
  {
    name: 'statements are named by numbers, in the order in which they are made',
    file: 'src/storage/statement.ts',
    find: `function nameOf(text: string): string {
`,
    replace: `let made = 0

function nameOf(text: string): string {
  if (text !== '') return \`atrium_\${++made}\`
`,
  },
]

/** A second version: its additions come before everything else. */
const nextVersion: Planted = {
  name: 'the next version',
  file: 'src/storage/statement.ts',
  find: 'function positionalOf(',
  replace: "export const added = [statement('select 1'), statement('select 2')]\n\nfunction positionalOf(",
}

export const pooler: Harness = {
  name: 'pooler',
  promises: [24],
  title: 'two versions behind PgBouncer: served in session mode, refused in transaction mode',
  unit: 'changes of mode',
  target: '0 wrong responses; a clear line at start',
  counts: { planted: 3, test: 1, torture: 60 },
  planted,
  run,
}

/** All processes fit into PgBouncer's default pool of 20. */
const settings = { ATRIUM_DATABASE_CONNECTIONS: '8', ATRIUM_LOG: 'fatal' }
const writes = 60
const failuresWithoutMode = 20
const withoutModeMs = 3000
const clearLine = /is a connection pooler that changes servers between transactions.*pool_mode = session/

async function run(run: Run): Promise<Outcome> {
  const database = await freshDatabase('postgres')
  const { all = '' } = await fill(database.url, roomsEstate(rooms))
  const pooler = await PgBouncer.start(database.url)
  const figures = { 'changes of mode': 0, acknowledged: 0, unavailable: 0, 'refused at start': 0, violations: 0 }
  const violations = await refusals(run.build, pooler)
  figures['refused at start'] = 2 - violations.length
  try {
    if (violations.length === 0) {
      const { load, done, violation } = await changeModes(run, pooler, all)
      if (violation) violations.push(violation)
      const { acknowledged, unavailable } = load
      Object.assign(figures, { 'changes of mode': done, acknowledged, unavailable })
    }
    return { figures: { ...figures, violations: violations.length }, violations }
  } finally {
    await pooler.stop()
    await database.drop()
  }
}

/** In transaction mode neither a node nor `doctor` accepts the pooler. */
async function refusals(build: string, pooler: PgBouncer): Promise<Violation[]> {
  await pooler.setMode('transaction')
  const own = { ...settings, ATRIUM_DATABASE: pooler.url, ATRIUM_DATABASE_WAIT_SECONDS: '60' }
  const node = beginNode(build, { settings: own })
  const served = node.ready.then(() => 'it is ready').catch(() => node.printed())
  const diagnosed = runAtrium(build, own, 'doctor').then(({ printed }) => printed)
  const said = { serve: await served, doctor: await diagnosed }
  await node.end('SIGKILL')
  await pooler.setMode('session')
  return Object.entries(said)
    .filter(([, text]) => !clearLine.test(text.replace(/\s+/g, ' ')))
    .map(([command, text]) => {
      return { what: `${command} does not refuse a pooler in transaction mode`, history: text.trim().split('\n') }
    })
}

interface Changed {
  load: Load
  done: number
  violation?: Violation
}

/** Switches the pooler's mode under nodes of two versions; afterwards no acknowledged write may be missing. */
async function changeModes(run: Run, pooler: PgBouncer, token: string): Promise<Changed> {
  using next = plant(nextVersion, run.build)
  const nodes: AtriumNode[] = []
  const own = { ...settings, ATRIUM_DATABASE: pooler.url }
  for (const build of [run.build, next.build]) nodes.push(await startNode(build, { settings: own }))
  const urls = nodes.map(({ url }) => url)
  const load = new Load(urls, token, new Random(run.seed))
  let done = 0
  try {
    for (; done < run.count && !run.signal.aborted; run.progress(++done)) {
      await oneChange(pooler, load, `in change ${done + 1}`)
    }
    return { load, done }
  } catch (error) {
    await load.end().catch(() => {})
    if (!(error instanceof Broken)) throw error
    return { load, done, violation: error.violation }
  } finally {
    load.close()
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
  }
}

async function oneChange(pooler: PgBouncer, load: Load, when: string): Promise<void> {
  const writing = load.begin()
  const unavailable = load.unavailable
  await load.untilWritten(writes, when)
  if (load.unavailable > unavailable) throw new Error(`a pooler in session mode was not served ${when}`)
  await pooler.setMode('transaction')
  const begin = performance.now()
  while (load.unavailable < unavailable + failuresWithoutMode && performance.now() - begin < withoutModeMs) {
    await Promise.race([sleep(20), writing])
  }
  await pooler.setMode('session')
  await load.untilBack(when)
  await load.untilWritten(writes, when)
  await load.end()
  await load.compare(when)
}
