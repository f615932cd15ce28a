import { engines } from '../harness/databases.ts'
import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { differences } from './audit/compare.ts'
import { change, clients } from './audit/load.ts'
import { tamper } from './audit/tamper.ts'

const planted: Planted[] = [
  {
    name: 'an operation leaves no entry',
    file: 'src/operations/facility.ts',
    find: '    recordAudit(tx, {\n',
    replace: '    if (value === value.toUpperCase()) recordAudit(tx, {\n',
  },
  {
    name: 'a seal leaves out the detail',
    file: 'src/domain/audit/audit-seal.ts',
    find: 'action, facility, partner, subject, detail])',
    replace: 'action, facility, partner, subject])',
  },
]

export const audit: Harness = {
  name: 'audit',
  promises: [12],
  title: 'the audit log is whole',
  unit: 'operations',
  target: 'entries are the changes, one each, through kills; one flipped byte is found',
  counts: { planted: 60, test: 60, torture: 10_000 },
  planted,
  run,
}

/** Runs half of the operations on each engine, and stops at the first violation. */
async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const outcome: Outcome = { figures: { operations: 0, kills: 0, entries: 0, tampered: 0, found: 0 }, violations: [] }
  for (const engine of engines) {
    if (outcome.violations.length > 0) break
    await runOn(engine, { ...run, count: Math.round(run.count / engines.length) }, random.branch(), outcome)
  }
  return outcome
}

async function runOn(
  engine: (typeof engines)[number],
  run: Run,
  random: Random,
  { figures, violations }: Outcome,
): Promise<void> {
  const database = await databaseWithRooms(engine, clients)
  const before = figures.operations ?? 0
  const count = (name: string, more: number) => {
    figures[name] = (figures[name] ?? 0) + more
  }
  try {
    const progress = (done: number) => run.progress(before + done)
    const load = await change({ ...run, progress }, database, random)
    count('operations', load.operations)
    count('kills', load.kills)
    const compared = await differences(database.url, load)
    count('entries', compared.entries)
    violations.push(...compared.violations.map((one) => ({ ...one, what: `${engine}: ${one.what}` })))
    const tried = await tamper(run.build, database.url, random)
    count('tampered', tried.tampered)
    count('found', tried.found)
    violations.push(...tried.violations.map((one) => ({ ...one, what: `${engine}: ${one.what}` })))
  } finally {
    await database.drop()
  }
}
