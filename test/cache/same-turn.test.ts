import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedResponse } from '../../src/cache/response-cache.ts'
import { draftList } from '../../src/domain/autocomplete-list.ts'
import { authenticate, type Caller } from '../../src/operations/access/authenticate.ts'
import { listVisibleAreas } from '../../src/operations/area.ts'
import { readList, replaceWholeList } from '../../src/operations/autocomplete-list.ts'
import { changeProperty, listVisibleFacilities, readFacility } from '../../src/operations/facility.ts'
import { openRoom } from '../../src/operations/room.ts'
import type { CachedPartner } from '../../src/storage/cached/partner.ts'
import type { Db } from '../../src/storage/database.ts'
import { onEachEngine } from '../harness/atrium.ts'

type Read = (db: Db, partner: CachedPartner) => Promise<unknown>
type Write = (db: Db, caller: Caller, n: number) => Promise<unknown>

const whole = () => ({ limit: undefined, cursor: undefined, q: undefined, status: undefined, active_at: undefined })
const facility = 'lyon-01'
const precondition = {}

const rename: Write = (db, caller, n) =>
  changeProperty(db, caller, { facility, property: 'name', precondition }, `Name ${n}`)
const replace: Write = (db, caller, n) =>
  replaceWholeList(
    db,
    caller,
    { facility, precondition },
    draftList(listBody(n), { facility, entries: 1, jsonDepth: 9 }),
  )
const listBody = (n: number) => Buffer.from(JSON.stringify({ value: [{ id_external: `${n}`, name: 'Only' }] }))
const open: Write = (db, caller) => openRoom(db, caller, { area: 'lyon-01-2', precondition })

const list: Read = (db, partner) => listVisibleFacilities(db, partner, whole)
const one: Read = (db, partner) => readFacility(db, partner, facility, () => {})

const pairs: [string, Write, Read][] = [
  ['a name in the list of facilities', rename, list],
  ['a name in the facility', rename, one],
  ['a list', replace, (db, partner) => readList(db, partner, facility, whole)],
  ['a room', open, (db, partner) => listVisibleAreas(db, partner, facility, whole)],
]

// Requests that arrive in the same turn of the event loop as the commit of a batch: a busy node still writes the responses
// to that batch while clients that have theirs already send the next request.
onEachEngine('a read in the turn in which a change was acknowledged', {}, (atrium) => {
  for (const [what, write, read] of pairs) {
    test(`sees ${what} as it is now`, async () => {
      const { db } = atrium().service
      const secret = atrium().tokens.everything as string
      const look = async () => {
        const { partner } = await authenticate(db, secret, '127.0.0.1')
        return String(((await read(db, partner)) as CachedResponse).body)
      }
      for (let n = 0; n < 5; n++) {
        await look()
        await nextTurn()
        const before = await look()
        const token = await authenticate(db, secret, '127.0.0.1')
        const actor = { kind: 'partner', name: 'everything', token: token.id, requestId: null, address: null } as const
        await nextTurn()
        await write(db, { partner: token.partner, token, actor }, n)
        assert.notEqual(await look(), before)
      }
    })
  }
})
