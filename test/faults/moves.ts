import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { Lane, rooms } from './moves/lane.ts'

const operation = 'src/operations/room/move-guest.ts'

const planted: Planted[] = [
  {
    name: 'the room that the guest moves to is written in a transaction of its own',
    file: operation,
    find: 'const taken = writeRoom(tx, target, moved.target, access)\n',
    replace: `const taken = seenBy(access, roomJson(moved.target.room, moved.target.subscriptions), moved.target.room)
  setTimeout(() => {
    void db.write(async (own) => writeRoom(own, target, moved.target, access)).catch(() => {})
  }, 2)
`,
  },
  {
    name: 'two guests can move to one room at once',
    file: 'src/storage/area.ts',
    find: 'tx.lockedRows(roomBeside, fullId, first)',
    replace: 'tx.rows(roomBeside, fullId, first)',
  },
  {
    name: 'the room that the guest leaves stays open',
    file: operation,
    find: 'writeRoom(tx, source, moved.source, access)',
    replace: 'writeRoom(tx, source, source, access)',
  },
]

export const moves: Harness = {
  name: 'moves',
  promises: [1, 4],
  title: 'a guest who moves is never in two rooms and never in none',
  unit: 'kills',
  target: '0 guests in two rooms, 0 in none',
  counts: { planted: 20, test: 6, torture: 120 },
  planted,
  run,
}

/** Kills the only node on SQLite, and one of two nodes on PostgreSQL. */
async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const half = Math.ceil(run.count / 2)
  const stopped = new AbortController()
  const signal = AbortSignal.any([run.signal, stopped.signal])
  const lanes = [
    new Lane({ ...run, signal, count: half }, await databaseWithRooms('sqlite', rooms), random.branch(), 1),
    new Lane({ ...run, signal, count: half }, await databaseWithRooms('postgres', rooms), random.branch(), 2),
  ]
  const sum = (count: (lane: Lane) => number) => lanes.reduce((total, lane) => total + count(lane), 0)
  const killed = () => run.progress(sum(({ kills }) => kills))
  try {
    const ends = await Promise.all(
      lanes.map(async (lane) => {
        const violations = await lane.run(killed)
        if (violations.length > 0) stopped.abort()
        return violations
      }),
    )
    const ofGuests = (name: 'acknowledged' | 'retried') => (lane: Lane) =>
      lane.guests.reduce((total, guest) => total + guest[name], 0)
    const figures = {
      kills: sum(({ kills }) => kills),
      acknowledged: sum(ofGuests('acknowledged')),
      retried: sum(ofGuests('retried')),
      reads: sum(({ reads }) => reads),
    }
    return { figures, violations: ends.flat() }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}
