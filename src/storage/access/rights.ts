import type { Rights } from '../../domain/access/grant.ts'

export interface RightsRow {
  read_fields: string
  write_fields: string
  room_operations: string
}

export function toRights(row: RightsRow): Rights {
  return {
    read: JSON.parse(row.read_fields),
    write: JSON.parse(row.write_fields),
    rooms: JSON.parse(row.room_operations),
  }
}
