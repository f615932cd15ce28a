import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { createKey } from '../../src/operations/access/operator-key.ts'
import { startPostgres } from '../harness/postgres-server.ts'
import { follow } from '../harness/postgres-standby.ts'
import { withDb } from '../harness/with-db.ts'

/** How long the standby replays nothing, one after the other: shorter and longer than a read waits for it. */
const pausesMs = [10, 30, 20, 40, 15, 25, 200]
/** How long commits wait for a synchronous standby that does not exist. */
const holdMs = 25
const calmMs = 10

export interface StandbyDatabase {
  url: string
  replicaUrl: string
  drop(): Promise<void>
}

/**
 * Starts a server with a standby, which again and again replays nothing for a moment; in other moments it shows commits
 * that the primary does not show yet, because they wait there.
 */
export async function databaseWithStandby(): Promise<StandbyDatabase> {
  const own = await startPostgres()
  try {
    const standby = await own.beside('standby')
    await follow(own.server, standby)
    const stop = await disturb(own.url, standby.url)
    const drop = () => stop().finally(own.stop)
    return { url: own.url, replicaUrl: standby.url, drop }
  } catch (error) {
    await own.stop()
    throw error
  }
}

/** Returns the function that ends it. */
async function disturb(primaryUrl: string, standbyUrl: string): Promise<() => Promise<void>> {
  const [primary, standby] = [primaryUrl, standbyUrl].map((url) => new Client({ connectionString: url }))
  if (primary === undefined || standby === undefined) throw new Error('two servers make two connections')
  await Promise.all([primary.connect(), standby.connect()])
  let isOver = false
  const hold = async (name: string) => {
    await primary.query(`alter system set synchronous_standby_names = '${name}'`)
    await primary.query('select pg_reload_conf()')
  }
  const run = async () => {
    for (let round = 0; !isOver; round++) {
      await standby.query('select pg_wal_replay_pause()')
      await sleep(pausesMs[round % pausesMs.length])
      await standby.query('select pg_wal_replay_resume()')
      await sleep(calmMs)
      await hold('no_such_standby')
      await sleep(holdMs)
      await hold('')
      await sleep(calmMs)
    }
  }
  const running = run()
  running.catch(() => {})
  return async () => {
    isOver = true
    await running.finally(() => Promise.all([primary.end(), standby.end()]))
  }
}

/** Creates an operator, and returns its key. */
export function operatorKey(url: string): Promise<string> {
  return withDb(url, async (db) => {
    const operator = { email: 'harness@example.com', name: 'Harness', role: 'editor', password: null } as const
    const { id } = await createOperator(db, commandLine, operator)
    const { secret } = await createKey(db, commandLine, {
      operator: id,
      name: 'harness',
      expiresAt: null,
      allowedRanges: [],
    })
    return secret
  })
}
