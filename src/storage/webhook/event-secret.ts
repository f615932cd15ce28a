import { newEventSecret } from '../../domain/room/event-offset.ts'
import type { Db } from '../database.ts'
import { statement } from '../statement.ts'

const find = statement<{ value: string }>("select value from setting where name = 'event_secret'")
const create = statement(`insert into setting (name, value) values ('event_secret', $1) on conflict (name) do nothing`)

/** Returns the secret that encrypts event ids and cursors. It is in backups, so these stay valid after a restore. */
export async function eventSecret({ ask, write }: Pick<Db, 'ask' | 'write'>): Promise<string> {
  const [known] = await ask(find)
  if (known !== undefined) return known.value
  return write(async (tx) => {
    await tx.rows(create, newEventSecret())
    const [row] = await tx.rows(find)
    return row?.value as string
  })
}
