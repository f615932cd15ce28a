import { databaseWithRooms } from '../torture/database.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { prove } from './durability/proof.ts'
import { trace } from './durability/trace.ts'
import { clients, writeAll } from './durability/writers.ts'

const planted: Planted[] = [
  {
    name: 'the writing connection is left with synchronous=NORMAL',
    file: 'src/storage/sqlite/engine.ts',
    find: "const wanted = durability === 'full' ? 'full' : 'normal'",
    replace: "const wanted = 'normal'",
  },
  {
    name: 'a write is acknowledged before its group is committed',
    file: 'src/storage/sqlite/group-commit.ts',
    find: 'job.outcome = { value: await job.work(writer.tx) }\n',
    replace: 'job.outcome = { value: await job.work(writer.tx) }\n    job.resolve(job.outcome.value)\n',
  },
]

export const durability: Harness = {
  name: 'durability',
  promises: [2],
  title: 'durable before acknowledged',
  unit: 'writes',
  target: 'an fsync of the log before each acknowledgement',
  counts: { planted: 20, test: 100, torture: 10_000 },
  planted,
  run,
}

async function run(run: Run): Promise<Outcome> {
  const database = await databaseWithRooms('sqlite', clients)
  const node = await startNode(run.build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'warn' } })
  try {
    const calls = await trace(node.child.pid as number)
    const acknowledged = await writeAll(run, node.url, database.token)
    const { proven, violations } = prove(await calls(), acknowledged)
    return { figures: { writes: acknowledged.length, proven }, violations: violations.slice(0, 1) }
  } finally {
    await node.end('SIGKILL')
    await database.drop()
  }
}
