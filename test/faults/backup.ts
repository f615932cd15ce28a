import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, engines, freshDatabase } from '../harness/databases.ts'
import { withDb } from '../harness/with-db.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { type Installation, install } from '../torture/installation.ts'
import { runAtrium } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { type Bounds, checkRestored } from './backup/check.ts'
import { Writer } from './backup/writer.ts'

const writers = 4
const facilities = Array.from({ length: writers }, (_, n) => `w${n}`)

export const backup: Harness = {
  name: 'backup',
  promises: [17],
  title: 'a backup taken under load is a state that was, and comes back whole on either engine',
  unit: 'restores',
  target: 'no gap: nothing acknowledged is missing, nothing torn',
  counts: { planted: 8, test: 2, torture: 50 },
  planted: [
    {
      name: 'tables are read one after the other from a server that goes on',
      file: 'src/storage/postgres/engine.ts',
      find: "'begin isolation level repeatable read read only'",
      replace: "'begin read only'",
    },
  ],
  run,
}

/** Runs half of the backups from each engine; restores alternate between both. */
const sources: Engine[] = ['postgres', 'sqlite']

/** Rooms without writers; they make the backup long enough for concurrent changes. */
const estate = {
  facilities: [
    ...facilities.map((id) => ({ id_external: id, name: 'new', room_services: true, areas: [{ id: '1', name: '1' }] })),
    {
      id_external: 'quiet',
      name: 'Quiet',
      areas: Array.from({ length: 400 }, (_, n) => ({ id: `${n}`, name: `${n}` })),
    },
  ],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const random = new Random(seed)
  const violations: Violation[] = []
  let restores = 0
  let changes = 0
  for (const [at, engine] of sources.entries()) {
    const share = at === 0 ? Math.ceil(count / 2) : Math.floor(count / 2)
    if (share === 0 || violations.length > 0) continue
    changes += await underLoad(build, engine, random, async (backUp) => {
      for (let n = 0; n < share && violations.length === 0 && !signal.aborted; n++) {
        violations.push(...(await backUp(engines[(n + at) % 2] as Engine)))
        progress(++restores)
      }
    })
  }
  return { figures: { restores, 'changes meanwhile': changes, torn: violations.length }, violations }
}

type BackUp = (target: Engine) => Promise<Violation[]>

/** Runs writers while the work goes on; returns how many changes they made. */
async function underLoad(
  build: string,
  engine: Engine,
  random: Random,
  work: (backUp: BackUp) => Promise<void>,
): Promise<number> {
  const source = await install(build, { name: engine, engine, nodes: 1 }, estate)
  const stopping = new AbortController()
  const all = facilities.map((facility) => {
    return new Writer(source.nodes[0]?.url ?? '', source.tokens.p ?? '', facility, random.branch())
  })
  const working = Promise.all(all.map((writer) => writer.work(stopping.signal)))
  try {
    await Promise.race([work((target) => backUpAndRestore(build, source, all, target)), working])
    stopping.abort()
    await working
    return all.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  } finally {
    stopping.abort()
    await working.catch(() => {})
    await source.stop()
  }
}

async function backUpAndRestore(
  build: string,
  source: Installation,
  all: Writer[],
  target: Engine,
): Promise<Violation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
  const restored = await freshDatabase(target)
  try {
    const file = join(folder, 'backup.gz')
    const begun = all.map((writer) => ({ writer, acknowledgedBefore: writer.acknowledged }))
    const written = await runAtrium(build, { ATRIUM_DATABASE: source.databaseUrl }, 'backup', file)
    const bounds: Bounds[] = begun.map((one) => ({ ...one, sentAfter: one.writer.sent.length }))
    if (written.code !== 0) return [{ what: 'the backup failed', history: [written.printed] }]
    const loaded = await runAtrium(build, { ATRIUM_DATABASE: restored.url }, 'restore', file)
    if (loaded.code !== 0) return [{ what: 'the restore failed', history: [loaded.printed] }]
    return await withDb(restored.url, (db) => checkRestored(db, bounds))
  } finally {
    await restored.drop()
    await rm(folder, { recursive: true })
  }
}
