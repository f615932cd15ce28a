import type { Harness, Planted } from '../torture/harness.ts'
import type { Installation } from '../torture/installation.ts'
import { Line } from '../torture/line.ts'
import { type Lane, onLayouts } from '../torture/on-layouts.ts'
import { allRooms, type Place } from '../torture/rooms.ts'
import { Desk, type Hand } from './idempotency/desk.ts'
import { type Hands, scenarios } from './idempotency/scenarios.ts'

const planted: Planted[] = [
  {
    name: 'the key is looked up before anything is locked',
    file: 'src/operations/room/change-room.ts',
    find: `  const claimed = once && claimKey(tx, once.owner, once)
  const locked = findRoom(tx, areaId, { lock: true })
  const confirmed = 'partner' in caller ? reauthenticate(tx, db.cache, caller) : undefined
  const known = once && loadStoredKey(tx, once.owner, once)
`,
    replace: `  const claimed = undefined
  const known = once && (await loadStoredKey(tx, once.owner, once))
  const locked = findRoom(tx, areaId, { lock: true })
  const confirmed = 'partner' in caller ? reauthenticate(tx, db.cache, caller) : undefined
`,
  },
  {
    name: 'the key is looked up without its partner',
    file: 'src/storage/idempotency.ts',
    find: 'where partner_id = $1 and path',
    replace: 'where $1 is distinct from path and path',
  },
  {
    name: 'a reset forgets that keys were used',
    file: 'src/storage/idempotency.ts',
    find: "update idempotency_key set body_hash = '', answer = '', etag = '', ended = 1 where",
    replace: 'delete from idempotency_key where',
  },
]

export const idempotency: Harness = {
  name: 'idempotency',
  promises: [6],
  title: 'a key runs once, whichever nodes its twins reach, and never in the next cycle',
  unit: 'pairs',
  target: '0 doubled, 0 across partners',
  counts: { planted: 1200, test: 100, torture: 20_000 },
  planted,
  run: async (run) => {
    const { done, violations } = await onLayouts(run, lanesOn)
    return { figures: { pairs: done }, violations }
  },
}

function lanesOn(installation: Installation): () => Lane {
  const rooms = allRooms()
  let keys = 0
  return () => {
    const hands = handsOn(installation)
    return {
      once: async (random) => {
        const place = rooms.shift() as Place
        const title = random.pick(Object.keys(scenarios))
        const code = `s${++keys}`
        const desk = new Desk(place.room, `key ${code}`)
        const wrong = await scenarios[title]?.(desk, hands, code)
        rooms.push(place)
        return wrong === undefined ? undefined : { what: `${title}: ${wrong}`, history: desk.lines }
      },
      end: () => {
        for (const { line } of [...hands.all, ...hands.other]) line.cut()
      },
    }
  }
}

function handsOn({ nodes, tokens }: Installation): Hands {
  const hand = (partner: string, at: number): Hand => {
    const { url } = nodes[at % nodes.length] as { url: string }
    const line = new Line(url, { Authorization: `Bearer ${tokens[partner]}` })
    return { name: `${partner} over connection ${at + 1}`, line }
  }
  return { all: [hand('all', 0), hand('all', 1)], other: [hand('other', 0), hand('other', 1)] }
}
