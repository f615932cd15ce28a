import { newEventSecret } from '../../domain/room/event-offset.ts'
import type { Db } from '../database.ts'
import { statement } from '../statement.ts'

const find = statement<{ value: string }>("select value from setting where name = 'event_secret'")
const make = statement(`insert into setting (name, value) values ('event_secret', $1) on conflict (name) do nothing`)

/** What the ids and cursors of events are written with, on every node. It travels in backups, so that they stay right. */
export async function eventSecret({ ask, write }: Pick<Db, 'ask' | 'write'>): Promise<string> {
  const [known] = await ask(find)
  if (known !== undefined) return known.value
  return write(async (tx) => {
    await tx.rows(make, newEventSecret())
    const [row] = await tx.rows(find)
    return row?.value as string
  })
}
