import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { install } from '../torture/installation.ts'
import { Listener } from './delays/listener.ts'
import { measure } from './delays/measure.ts'
import { estate, openings, type Place } from './delays/openings.ts'

/** Each transaction stays open for this many events. */
const eventsOfEach = 3
/** From this count on, long commands run in their full size too, and are measured. */
const measuredFrom = 50

export const delays: Harness = {
  name: 'delays',
  promises: [23],
  title: 'events arrive while long transactions are under way: an apply with --prune, a backup, other sessions',
  unit: 'transactions left open',
  target: 'every event arrives before they end; p99 under 1 s beside 300,000 rooms',
  counts: { planted: 2, test: 4, torture: 60 },
  planted: [
    {
      name: 'a transaction takes its numbers when it changes something, not at its end',
      file: 'src/storage/postgres/transaction.ts',
      find: 'void last.push(() => connection.rows(statement, values))',
      replace: 'posted(connection.rows(statement, values))',
    },
    {
      name: 'events wait for all who may write to the table of the audit log',
      file: 'src/storage/postgres/audit-log.ts',
      find: "where locktype = 'advisory' and",
      replace: "where relation = 'audit_entry'::regclass and mode = 'RowExclusiveLock' or false and",
    },
  ],
  run,
}

async function run(run: Run): Promise<Outcome> {
  const layout = { name: 'two nodes on PostgreSQL', engine: 'postgres', nodes: 2 } as const
  const installation = await install(run.build, layout, estate)
  const [writing, listening] = installation.nodes.map(({ url }) => url) as [string, string]
  const listener = await Listener.begin({ writing, listening, token: installation.tokens.p as string })
  const place = { build: run.build, databaseUrl: installation.databaseUrl }
  try {
    const { left, events, violations } = await leaveOpen(run, place, listener)
    const isMeasured = run.count >= measuredFrom && violations.length === 0 && !run.signal.aborted
    const measured = isMeasured ? await measure(place, listener) : undefined
    violations.push(...(measured?.violations ?? []))
    const figures = { 'left open': left, events: events + (measured?.events ?? 0), 'held up': violations.length }
    return { figures: { ...figures, ...measured?.figures }, violations }
  } finally {
    listener.end()
    await installation.stop()
  }
}

async function leaveOpen(run: Run, place: Place, listener: Listener) {
  const kinds = Object.entries(openings)
  const violations: Violation[] = []
  let [left, events] = [0, 0]
  while (left < run.count && violations.length === 0 && !run.signal.aborted) {
    const [what, open] = kinds[left % kinds.length] as (typeof kinds)[number]
    const opened = await open(place, left)
    try {
      for (let n = 0; n < eventsOfEach && violations.length === 0; n++) {
        const { name, ms } = await listener.change()
        events++
        if (ms === undefined || !(await opened.isOpen())) violations.push(heldUp(what, name, ms))
      }
    } finally {
      await opened.end()
    }
    run.progress(++left)
  }
  return { left, events, violations }
}

function heldUp(what: string, name: string, ms: number | undefined): Violation {
  const arrived = ms === undefined ? 'has not arrived yet' : `arrived after ${Math.round(ms)} ms, when it had ended`
  return {
    what: `an event waited for ${what}`,
    history: [`renamed to "${name}", acknowledged`, `the event ${arrived}`],
  }
}
