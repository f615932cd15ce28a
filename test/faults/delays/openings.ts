import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { runAtrium } from '../../torture/node.ts'

export interface Place {
  build: string
  databaseUrl: string
}

/** An open transaction. */
interface Opened {
  /** Whether it is still the same transaction. */
  isOpen(): Promise<boolean>
  end(): Promise<void>
}

const all = [{ facilities: '*', read: '*', write: '*', rooms: '*' }]
export const estate = {
  facilities: [
    { id_external: 'f', name: 'F' },
    { id_external: 'gone', name: 'Gone', areas: [{ id: '1', name: 'Room 1' }] },
  ],
  partners: [
    { id: 'p', name: 'P', grants: all },
    { id: 'last', name: 'Last', grants: [] },
  ],
}

export const openings: Record<string, (place: Place, number: number) => Promise<Opened>> = {
  'an apply with --prune': openApply,
  'a session that writes to every table': openSession,
}

/** An `apply --prune` that removes and creates facilities, and then waits for a row that another session has locked. */
async function openApply({ build, databaseUrl }: Place, number: number): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-delays-'))
  const file = join(folder, 'estate.json')
  const made = Array.from({ length: 20 }, (_, n) => ({ id_external: `new-${number}-${n}`, name: `${n}` }))
  const partners = [{ id: 'p' }, { id: 'last', name: `Last ${number}` }]
  await writeFile(file, JSON.stringify({ facilities: [{ id_external: 'f' }, ...made], partners }))
  const holder = await connected(databaseUrl)
  await holder.query(`begin; select from partner where id = 'last' for update`)
  const applied = runAtrium(build, { ATRIUM_DATABASE: databaseUrl }, 'apply', '--prune', file)
  const waiting = async () => {
    const { rows } = await holder.query(`select virtualtransaction as id from pg_locks
      where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`)
    return rows[0]?.id as string | undefined
  }
  const ended = applied.then(({ printed }) => {
    throw new Error(`the apply ended before it had to wait: ${printed}`)
  })
  ended.catch(() => {})
  const begun = await Promise.race([until(waiting), ended])
  return {
    isOpen: async () => (await waiting()) === begun,
    end: async () => {
      await holder.end()
      const { code, printed } = await applied
      await rm(folder, { recursive: true })
      if (code !== 0) throw new Error(`the apply failed: ${printed}`)
    },
  }
}

/** A psql session that changes a row of many tables and does not commit. */
async function openSession({ databaseUrl }: Place): Promise<Opened> {
  const session = await connected(databaseUrl)
  const { rows } = await session.query(`select tablename as name from pg_tables where schemaname = 'public'`)
  const touching = rows.map(({ name }) => `lock table ${name} in row exclusive mode; delete from ${name} where false;`)
  await session.query(`begin; ${touching.join('\n')} select pg_current_xact_id()`)
  return { isOpen: async () => true, end: () => session.end() }
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  return client
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(20)
  }
}
