import { type AuditAction, auditActions } from '../../src/domain/audit/audit.ts'
import type { Engine } from '../harness/databases.ts'
import { enginesFor } from '../torture/engines.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { facilityCases } from './changes/facilities.ts'
import { type Case, faultOf } from './changes/judge.ts'
import { operatorCases, roomCases, sandboxCases, webhookCases } from './changes/others.ts'
import { partnerCases, tokenCases } from './changes/partners.ts'
import { startWorld } from './changes/world.ts'

const cases: Case[] = [
  ...[...facilityCases, ...partnerCases, ...tokenCases, ...webhookCases],
  ...[...sandboxCases, ...operatorCases, ...roomCases],
]

const planted: Planted[] = [
  {
    name: 'a change of grants names no values',
    file: 'src/domain/estate-difference.ts',
    find: 'changed.map((key) => changeFrom(partnerKeys[key], ',
    replace: "changed.map((key) => key === 'grants' ? { key } : changeFrom(partnerKeys[key], ",
  },
  {
    name: 'the data of a room is not kept',
    file: 'src/domain/audit/estate-audit.ts',
    find: '...(dataGeneral !== undefined && { data_general: dataGeneral })',
    replace: '',
  },
  {
    name: 'a property that a partner changes is kept as it is afterwards only',
    file: 'src/operations/facility.ts',
    find: '{ property, before, after: value }',
    replace: '{ property, before: value, after: value }',
  },
  {
    name: 'a list that is put back has the order that it has',
    file: 'src/operations/cms/undo/facility.ts',
    find: '  if (before !== undefined) return shortEntries(facility.idExternal, before)\n',
    replace: '',
  },
  {
    name: 'of several properties one is put back',
    file: 'src/operations/cms/undo/facility.ts',
    find: 'undo.fields.map(({ key, before })',
    replace: 'undo.fields.slice(0, 1).map(({ key, before })',
  },
  {
    name: 'the console shows nothing of what partners change',
    file: 'console/src/changes/audit-entry.ts',
    find: "  if (action === 'facility.change') return [{ key: said.property ?? '', before: said.before, after: said.after }]\n",
    replace: '',
  },
]

/**
 * Makes each audited action in every way: its entry must have the state before and after, and undoing it must restore
 * the first.
 */
export const changes: Harness = {
  name: 'changes',
  promises: [26],
  title: 'every change can be read and put back',
  unit: 'changes',
  target: 'before and after in each entry, undo restores, or the entry says why it cannot',
  // In the small size each engine makes a quarter of the actions, starting at another one each time.
  counts: { planted: 6 * cases.length, test: Math.ceil(cases.length / 2), torture: 20 * cases.length },
  planted,
  run,
}

/**
 * Only a log that begins with an old month can be shortened (test/storage/audit-removal.test.ts), and a backup changes
 * nothing (test/cli/remote-backup.test.ts).
 */
const checkedElsewhere: AuditAction[] = ['audit.remove', 'database.backup']

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const outcome: Outcome = { figures: { changes: 0, undone: 0 }, violations: [] }
  const chosen = enginesFor(run)
  const from = random.below(cases.length)
  for (const engine of chosen) {
    if (outcome.violations.length > 0) break
    await runOn(engine, Math.ceil(run.count / chosen.length), { ...run, from }, random.branch(), outcome)
  }
  const caused = new Set<string>([...cases.map(({ action }) => action), ...checkedElsewhere])
  const missing = Object.keys(auditActions).filter((action) => !caused.has(action))
  if (missing.length > 0)
    outcome.violations.push({ what: `no change here leads to ${missing.join(', ')}`, history: [] })
  return outcome
}

async function runOn(
  engine: Engine,
  count: number,
  { build, from, progress, signal }: Run & { from: number },
  random: Random,
  { figures, violations }: Outcome,
): Promise<void> {
  await using world = await startWorld(build, engine)
  for (let done = 0; done < count && !signal.aborted && violations.length === 0; done++) {
    const one = cases[(from + (figures.changes ?? 0)) % cases.length] as Case
    const fault = await faultOf(world, one, random.branch())
    if (fault !== undefined) violations.push({ what: `${one.name}: ${fault} (${engine})`, history: [] })
    figures.undone = (figures.undone ?? 0) + Number(one.undone)
    figures.changes = (figures.changes ?? 0) + 1
    progress(figures.changes)
  }
}
