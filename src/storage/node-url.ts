import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

const find = statement<{ url: string }>('select url from node_url')
const write = statement(`insert into node_url (the_only, url) values (1, $1)
  on conflict (the_only) do update set url = excluded.url`)

export async function findNodeUrl(tx: Pick<Tx, 'rows'>): Promise<string | undefined> {
  return (await tx.rows(find))[0]?.url
}

export function writeNodeUrl(tx: Tx, url: string): void {
  tx.post(write, url)
}
