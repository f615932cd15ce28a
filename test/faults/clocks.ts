import type { Engine } from '../harness/databases.ts'
import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { Broken } from '../torture/room-book.ts'
import { assertAuditOrder } from './clocks/audit-order.ts'
import { jump } from './clocks/jump.ts'
import { Lane } from './clocks/lane.ts'
import { keyedWrite, revocationsHold, tokensEnd, waitingIsPatient } from './clocks/rules.ts'

const planted: Planted[] = [
  {
    name: 'a key that was used later than now is not known',
    file: 'src/storage/idempotency.ts',
    find: 'tx.rows(record, partner, path, key, notBefore)',
    replace: `tx.rows(
    statement(\`\${record.text} and created_at <= $5\`), partner, path, key, notBefore, new Date().toISOString())`,
  },
  {
    name: 'an id is the second and a number within it',
    file: 'src/domain/identifier.ts',
    find: '  bytes.writeUIntBE(now, 0, 6)\n',
    replace: `  const second = Math.floor(now / 1000)
  const last = ((globalThis as any).last ??= { second, number: 0 })
  if (last.second !== second) Object.assign(last, { second, number: 0 })
  bytes.fill(0)
  bytes.writeUInt32BE(last.number++, 12)
  bytes.writeUIntBE(second * 1000, 0, 6)
`,
  },
  {
    name: 'patience is measured by the wall clock',
    file: 'src/storage/sqlite/engine.ts',
    find: `  const deadlineMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return begin()
    } catch (error) {
      if (primaryCode(error) !== busy || performance.now() > deadlineMs) throw error`,
    replace: `  const deadlineMs = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      return begin()
    } catch (error) {
      if (primaryCode(error) !== busy || Date.now() > deadlineMs) throw error`,
  },
]

export const clocks: Harness = {
  name: 'clocks',
  promises: [4, 6],
  title: 'a clock that is set, or wrong, changes nothing but the times that are shown',
  unit: 'jumps',
  target: 'ids unique, keys run once, tokens end when they should, two nodes agree, no 5xx',
  counts: { planted: 90, test: 10, torture: 600 },
  planted,
  run,
}

const ofSqlite = 0.5
const waitEvery = 5

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const figures = { jumps: 0, writes: 0, ids: 0, wrong: 0 }
  const violations: Violation[] = []
  const onSqlite = Math.ceil(run.count * ofSqlite)
  const work: [Engine, number][] = [
    ['sqlite', onSqlite],
    ['postgres', run.count - onSqlite],
  ]
  for (const [engine, count] of work) {
    if (violations.length > 0 || run.signal.aborted) continue
    const lane = await Lane.open(run.build, engine)
    try {
      for (let n = 0; n < count && !run.signal.aborted; n++) {
        await round(lane, n, random.branch())
        run.progress(++figures.jumps)
      }
      await assertAuditOrder(run.build, lane)
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      violations.push(error.violation)
    } finally {
      figures.writes += lane.books.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
      figures.ids += lane.ids.size
      await lane.close()
    }
  }
  return { figures: { ...figures, wrong: violations.length }, violations }
}

async function round(lane: Lane, n: number, random: Random): Promise<void> {
  if (n % waitEvery === 0) await waitingIsPatient(lane, random)
  const sendAgain = await keyedWrite(lane, `once ${n}`, random)
  await jump(lane, random)
  await sendAgain()
  await tokensEnd(lane)
  await revocationsHold(lane)
}
