import type { Planted } from '../../torture/harness.ts'
import { textMatched } from '../../torture/own-fields.ts'

const room = 'src/operations/room/change-room.ts'
const cycle = 'src/operations/room/cycle.ts'

/** A node that is killed between the two leaves the room without what the request adds. */
export const replacedInHalves: Planted = {
  name: 'a replacement of all services is committed in two transactions',
  file: 'src/operations/room.ts',
  find: `const apply = replacing(wanted, pointer, rules, assertContract)
    return changeRoom(db, caller, change, { operation: 'services', bodyHash, apply })`,
  replace: `const write = (some: WantedSubscription[], room: RoomChange) =>
      changeRoom(db, caller, room, {
        operation: 'services',
        bodyHash,
        apply: replacing(some, pointer, rules, assertContract),
      })
    const kept = wanted.filter(({ id }) => id !== null)
    return write(kept, { ...change, key: undefined }).then(() => write(wanted, { ...change, precondition: {} }))`,
}

export const planted: Planted[] = [
  {
    name: 'a cached list of areas outlives a change of one of them',
    file: 'src/storage/cached/estate-cache.ts',
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
  replacedInHalves,
  {
    name: 'a change of a label is lost',
    file: 'src/operations/room/services.ts',
    find: 'const subscriptions = present.with(index, subscriptionJson(change.subscription))',
    replace: 'const subscriptions = [...present]',
  },
  {
    name: 'operations that are all or nothing are committed one by one',
    file: 'src/operations/room/bulk.ts',
    find: "return order.mode === 'each' ? changeEach(db, caller, call) : changeAll(db, caller, call)",
    replace: 'return changeEach(db, caller, call)',
  },
  {
    name: 'a refused call that is all or nothing keeps what came before the refusal',
    file: 'src/operations/room/bulk.ts',
    find: 'throw new Undone(from + at, result)',
    replace: 'return [...done, result as T]',
  },
  textMatched,
]
