import { type Engine, engines } from '../harness/databases.ts'
import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Guests } from './erasure/guests.ts'
import { leftInDatabase } from './erasure/left.ts'
import { writers } from './erasure/writers.ts'

const planted: Planted[] = [
  {
    name: 'a reset leaves a subscription behind',
    file: 'src/operations/room/cycle.ts',
    find: 'room: opened, subscriptions: []',
    replace: 'room: opened, subscriptions: present.slice(0, 1)',
  },
  {
    name: 'a cached response survives the reset',
    file: 'src/storage/idempotency.ts',
    find: 'ended = 1 where area_id = $1 and ended = 0',
    replace: 'ended = 1 where area_id = $1 and ended = 2',
  },
  {
    name: 'what is deleted is not overwritten',
    file: 'src/storage/sqlite/engine.ts',
    find: 'pragma secure_delete = on',
    replace: 'pragma secure_delete = off',
  },
]

export const erasure: Harness = {
  name: 'erasure',
  promises: [5],
  title: 'a reset erases',
  unit: 'cycles',
  target: 'no trace of an earlier guest in responses, log, metrics, audit entries and files',
  counts: { planted: 12, test: 15, torture: 3000 },
  planted,
  run,
}

/** Guests come and go in each of these rooms concurrently; background writers use the rooms after them. */
const guestRooms = 2
const cyclesBetweenSearches = 25

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const outcome: Outcome = { figures: { cycles: 0, answers: 0, searches: 0, hits: 0 }, violations: [] }
  for (const engine of engines) {
    if (outcome.violations.length > 0 || run.signal.aborted) break
    await runOn(engine, { ...run, count: Math.round(run.count / engines.length) }, random.branch(), outcome)
  }
  outcome.figures.hits = outcome.violations.length
  return outcome
}

async function runOn(engine: Engine, run: Run, random: Random, { figures, violations }: Outcome): Promise<void> {
  const database = await databaseWithRooms(engine, guestRooms + 2)
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'trace', ATRIUM_ERASE_SECONDS: '1' }
  const node = await startNode(run.build, { settings })
  const others = writers(node.url, database.token, guestRooms)
  const guests = Array.from({ length: guestRooms }, (_, n) => new Guests(node.url, database.token, n, random.branch()))
  const before = figures.cycles ?? 0
  try {
    for (let done = 0; done < run.count && violations.length === 0 && !run.signal.aborted; ) {
      const share = Math.min(cyclesBetweenSearches, run.count - done)
      const found = await Promise.all(guests.map((one) => one.comeAndGo(Math.ceil(share / guestRooms), run.signal)))
      violations.push(...found.flat(), ...leftInLog(node.printed()))
      // A violation ends the run: otherwise each search would wait for the same trace again.
      if (violations.length === 0) violations.push(...(await leftInDatabase(engine, database.url)))
      done += share
      figures.cycles = before + done
      figures.searches = (figures.searches ?? 0) + 1
      run.progress(figures.cycles)
    }
    figures.answers = guests.reduce((sum, { answers }) => sum + answers, figures.answers ?? 0)
  } finally {
    await others.stop()
    for (const one of guests) one.leave()
    await node.end('SIGKILL')
    await database.drop()
  }
}

function leftInLog(printed: string): Violation[] {
  const lines = printed.split('\n').filter((line) => line.includes('canary-'))
  return lines.slice(0, 1).map((line) => ({ what: 'a guest is in the log', history: [line] }))
}
