import type { Planted } from '../../torture/harness.ts'
import { textMatched } from '../../torture/own-fields.ts'

const room = 'src/operations/room/change-room.ts'
const cycle = 'src/operations/room/cycle.ts'

export const planted: Planted[] = [
  {
    name: 'a cached list of areas outlives a change of one of them',
    file: 'src/storage/cached/invalidation.ts',
    find: "room: ['areas'],",
    replace: 'room: [],',
  },
  {
    name: 'a node looks once for what others have committed',
    file: 'src/cache/freshness.ts',
    find: 'if (this.#isFresh) return undefined',
    replace: 'if (this.#isFresh || !this.#isImmediate) return undefined',
  },
  {
    name: 'a room that is being changed is not locked',
    file: room,
    find: 'findRoom(tx, areaId, { lock: true })',
    replace: 'findRoom(tx, areaId)',
  },
  {
    name: 'a reset leaves the subscriptions',
    file: cycle,
    find: 'room: opened, subscriptions: []',
    replace: 'room: opened, subscriptions: present',
  },
  {
    name: 'opening an open room keeps its cycle',
    file: cycle,
    find: 'const cycle = newId()',
    replace: 'const cycle = room.cycle ?? newId()',
  },
  textMatched,
]
