import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { wrongs } from '../torture/ledger.ts'
import { Random } from '../torture/random.ts'
import { Lane, rooms } from './crash/lane.ts'
import { replacedInHalves } from './linearizability/planted.ts'

const planted: Planted[] = [
  {
    name: 'a write is acknowledged before its group is committed',
    file: 'src/storage/sqlite/group-commit.ts',
    find: 'job.outcome = { value: await job.work(writer.tx) }\n',
    replace: `job.outcome = { value: await job.work(writer.tx) }
    job.resolve(job.outcome.value)
    await new Promise((done) => setTimeout(done, 1))
`,
  },
  {
    name: 'now and then what was acknowledged is rolled back',
    file: 'src/storage/sqlite/group-commit.ts',
    find: "writer.run('commit')\n",
    replace: "writer.run(Math.random() < 0.1 ? 'rollback' : 'commit')\n",
  },
  {
    name: 'a key is stored in a transaction of its own, after the change',
    file: 'src/operations/room/change-room.ts',
    find: `    storeResponse(tx, once.owner, once, found.room, seen)
  }
  const isChanged = after.audit.length > 0
`,
    replace: `  }
  const isChanged = after.audit.length > 0
  if (once) {
    setTimeout(() => {
      void db.write(async (own) => storeResponse(own, once.owner, once, found.room, seen)).catch(() => {})
    }, 5)
  }
`,
  },
  replacedInHalves,
]

export const crash: Harness = {
  name: 'crash',
  promises: [1],
  title: 'nothing acknowledged is lost or doubled by kill -9',
  unit: 'kills',
  target: 'lost 0, doubled 0, ghosts 0',
  counts: { planted: 60, test: 24, torture: 1000 },
  planted,
  run,
}

const ofSqlite = 0.6

/** Runs both engines concurrently, and stops at the first violation, because later ones would follow from it. */
async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const onSqlite = Math.round(run.count * ofSqlite)
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const lanes = [
    new Lane({ ...run, signal, count: onSqlite }, await databaseWithRooms('sqlite', rooms), random.branch()),
    new Lane(
      { ...run, signal, count: run.count - onSqlite },
      await databaseWithRooms('postgres', rooms),
      random.branch(),
    ),
  ] as const
  const killed = () => run.progress(lanes.reduce((sum, { kills }) => sum + kills, 0))
  try {
    await lanes[0].warmUp()
    const ends = await Promise.all(
      lanes.map((lane) => lane.run(killed).finally(() => lane.isBroken && stopped.abort())),
    )
    return { figures: figuresOf(lanes), violations: ends.flat() }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}

function figuresOf(lanes: readonly Lane[]): Outcome['figures'] {
  const books = lanes.flatMap((lane) => lane.books)
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  const wrong = lanes.flatMap((lane) => lane.wrong)
  return {
    kills: sum(lanes.map(({ kills }) => kills)),
    acknowledged: sum(books.map(({ acknowledged }) => acknowledged)),
    retried: sum(books.map(({ retried }) => retried)),
    replayed: sum(books.map(({ replayed }) => replayed)),
    ...Object.fromEntries(wrongs.map((kind) => [kind, wrong.filter((one) => one === kind).length])),
  }
}
