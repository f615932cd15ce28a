import type { Harness, Outcome, Planted, Run, Violation } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { Broken } from '../torture/room-book.ts'
import type { Fault } from './disk/faults.ts'
import { Lane } from './disk/lane.ts'
import { round } from './disk/round.ts'

const planted: Planted[] = [
  {
    name: 'errors of the disk are not known for what they are',
    file: 'src/storage/sqlite/engine.ts',
    find: 'new Set([busy, 8, 10, 11, 13, 14])',
    replace: 'new Set([busy, 8, 14])',
  },
  {
    name: 'a commit that failed is acknowledged',
    file: 'src/storage/sqlite/group-commit.ts',
    find: "if (job.outcome === undefined || 'value' in job.outcome) job.outcome = { error }",
    replace: 'if (job.outcome === undefined) job.outcome = { error }',
  },
]

export const disk: Harness = {
  name: 'disk',
  promises: [3],
  title: 'I/O errors and a full disk lose nothing',
  unit: 'faults',
  target: 'reads 200, writes 503 with Retry-After, recovers by itself, lost 0',
  counts: { planted: 3, test: 5, torture: 120 },
  planted,
  run,
}

const ofSqlite = 0.85

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const onSqlite = Math.ceil(run.count * ofSqlite)
  const figures = { faults: 0, acknowledged: 0, unavailable: 0, lost: 0, doubled: 0, ghosts: 0, refused: 0 }
  const violations: Violation[] = []
  for (const [engine, count] of [
    ['sqlite', onSqlite],
    ['postgres', run.count - onSqlite],
  ] as const) {
    if (count === 0 || run.signal.aborted || violations.length > 0) continue
    const lane = await Lane.open(run.build, engine)
    try {
      for (let done = 0; done < count && !run.signal.aborted; done++) {
        await round(lane, lane.faults[done % lane.faults.length] as Fault, random.branch())
        run.progress(++figures.faults)
      }
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      figures[error.wrong]++
      violations.push(error.violation)
    } finally {
      figures.unavailable += lane.unavailable
      figures.acknowledged += lane.books.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
      await lane.close()
    }
  }
  return { figures, violations }
}
