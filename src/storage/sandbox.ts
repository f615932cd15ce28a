import type { Room } from '../domain/room/stored-room.ts'
import type { Sandbox, SandboxFacility } from '../domain/sandbox.ts'
import { type RoomRow, roomColumns, toRoom } from './area.ts'
import type { Tx } from './engine.ts'
import { insertInRuns } from './estate/bulk.ts'
import { statement } from './statement.ts'
import type { SandboxTable } from './table-rows.ts'

export type SandboxRef = { id: string } | { owner: string }

const sandboxColumns = 'id, owner_id, ahead_ms, set_to, date_created, last_reset'
const byId = statement<SandboxTable>(`select ${sandboxColumns} from sandbox where id = $1`)
const byOwner = statement<SandboxTable>(`select ${sandboxColumns} from sandbox where owner_id = $1`)

export async function findSandbox(
  tx: Tx,
  which: SandboxRef,
  options: { lock?: boolean } = {},
): Promise<Sandbox | undefined> {
  const [statement, key] = 'id' in which ? [byId, which.id] : [byOwner, which.owner]
  const [row] = await (options.lock ? tx.lockedRows(statement, key) : tx.rows(statement, key))
  if (row === undefined) return undefined
  return {
    id: row.id,
    owner: row.owner_id,
    aheadMs: row.ahead_ms,
    setTo: row.set_to,
    dateCreated: row.date_created,
    lastReset: row.last_reset,
    facilities: await facilitiesIn(tx, row.id),
  }
}

const copies = statement<Omit<SandboxFacility, 'start'> & { start: string }>(`
  select f.id, f.id_external as "idExternal", f.name, s.copy_of as "copyOf", s.start
  from sandbox_facility s join facility f on f.id = s.facility_id where s.sandbox_id = $1 order by f.id`)

async function facilitiesIn(tx: Tx, sandbox: string): Promise<SandboxFacility[]> {
  return (await tx.rows(copies, sandbox)).map((row) => ({ ...row, start: JSON.parse(row.start) }))
}

export async function insertSandbox(tx: Tx, sandbox: Sandbox): Promise<void> {
  const { id, owner, aheadMs, setTo, dateCreated, lastReset, facilities } = sandbox
  const row = {
    id,
    owner_id: owner,
    ahead_ms: aheadMs,
    set_to: setTo,
    date_created: dateCreated,
    last_reset: lastReset,
  }
  await tx.query.insertInto('sandbox').values(row).execute()
  const rows = facilities.map(({ id: facility_id, copyOf, start }) => {
    return { facility_id, sandbox_id: id, copy_of: copyOf, start: JSON.stringify(start) }
  })
  await insertInRuns(tx, rows, (run) => tx.query.insertInto('sandbox_facility').values(run))
}

const setClock = statement('update sandbox set ahead_ms = $1, set_to = $2, last_reset = $3 where id = $4')

export function updateSandbox(tx: Tx, { id, aheadMs, setTo, lastReset }: Sandbox): void {
  tx.post(setClock, aheadMs, setTo, lastReset, id)
}

const everyRoom = statement<{ id: string }>(`select id from area
  where facility_id in (select facility_id from sandbox_facility where sandbox_id = $1) order by id`)

/** Locks the rooms before the sandbox's clock is moved: requests that change a room wait and then use the new time. */
export async function lockRooms(tx: Tx, sandbox: string): Promise<void> {
  await tx.lockedRows(everyRoom, sandbox)
}

const used = statement<RoomRow>(`select ${roomColumns} from area
  where facility_id in (select facility_id from sandbox_facility where sandbox_id = $1)
    and (cycle is not null or services_lengths <> '') order by facility_id, sort_key, id_short`)

/** Returns the rooms of a sandbox that are open or have subscriptions. */
export async function usedRooms(tx: Tx, sandbox: string): Promise<Room[]> {
  return (await tx.rows(used, sandbox)).map(toRoom)
}

const counterName = 'sandbox facility'
/** Sandbox facilities get numbers above this one, as estate files choose lower ones. All numbers fit into 32 bits. */
const before = 2_000_000_000

/** Returns the range of sandbox facilities: above `before`, up to and including `last`. */
export async function sandboxNumbers(tx: Tx): Promise<[before: number, last: number]> {
  const counter = await tx.query
    .selectFrom('counter')
    .select('value')
    .where('name', '=', counterName)
    .executeTakeFirst()
  return [before, counter?.value ?? before]
}

/** The caller must hold the named lock `atrium estate`, so that two transactions cannot assign the same number. */
export async function takeNumbers(tx: Tx, count: number): Promise<number[]> {
  const [, last] = await sandboxNumbers(tx)
  const numbers: number[] = []
  for (let next = last + 1; numbers.length < count; next++) if (await isFree(tx, next)) numbers.push(next)
  const value = numbers.at(-1) ?? last
  await tx.query
    .insertInto('counter')
    .values({ name: counterName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return numbers
}

async function isFree(tx: Tx, id: number): Promise<boolean> {
  return (await tx.query.selectFrom('facility').select('id').where('id', '=', id).executeTakeFirst()) === undefined
}
