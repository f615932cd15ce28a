import type { Tx } from '../engine.ts'
import { statement } from '../statement.ts'

/** An area with the JSON that partners get, its services included. */
export interface KeptArea {
  short: string
  name: string
  json: string
}

const columns = 'id_short as short, name, json'
const inOrder = 'order by sort_key, id_short'
const every = statement<KeptArea>(`select ${columns} from area where facility_id = $1 ${inOrder}`)
const open = statement<KeptArea>(`select ${columns} from area where facility_id = $1 and cycle is not null ${inOrder}`)
const closed = statement<KeptArea>(`select ${columns} from area where facility_id = $1 and cycle is null ${inOrder}`)

/** All of a facility's, in their natural order: a facility has as many as a building has rooms. */
export async function keptAreas(tx: Tx, facility: number, isOpen: boolean | undefined): Promise<KeptArea[]> {
  return tx.rows(isOpen === undefined ? every : isOpen ? open : closed, facility)
}

const one = statement<KeptArea & { facility: string }>(`
  select a.id_short as short, a.name, a.json, f.id_external as facility
  from area a join facility f on f.id = a.facility_id where a.id_external = $1`)

export async function findKeptArea(tx: Tx, fullId: string): Promise<(KeptArea & { facility: string }) | undefined> {
  return (await tx.rows(one, fullId))[0]
}
