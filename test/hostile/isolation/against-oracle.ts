import { seed } from '../../harness/seed.ts'
import { withDb } from '../../harness/with-db.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Random } from '../../torture/random.ts'
import type { WireAnswer } from '../../torture/wire.ts'
import { note, randomCell } from './cells.ts'
import { fault } from './judge.ts'
import { type Cell, type Expected, expectedOf } from './oracle.ts'
import { type Request, requestOf, send } from './requests.ts'
import type { Scene } from './scene.ts'
import { randomGrants, type World } from './world.ts'

/** Requests between two changes of the grants; each change must be in force for the next request. */
const cellsPerGrants = 120

/** Sends requests until there are enough, or one response is wrong. */
export async function askCells(
  scene: Scene,
  world: World,
  random: Random,
  { count, done, signal }: { count: number; done(): void; signal: AbortSignal },
): Promise<Violation | undefined> {
  const tags: Tags = new Map()
  for (let asked = 0; asked < count && !signal.aborted; asked++) {
    if (asked > 0 && asked % cellsPerGrants === 0) await changeGrants(scene, world, random)
    const wrong = await askCell(scene, world, random, tags)
    if (wrong !== undefined) return wrong
    done()
  }
  return undefined
}

async function changeGrants({ databaseUrl }: Scene, world: World, random: Random): Promise<void> {
  const ids = world.facilities.map(({ id_external }) => id_external)
  const some = world.partners.filter(() => random.chance(0.6))
  for (const partner of some) partner.grants = randomGrants(random, ids)
  await withDb(databaseUrl, (db) => seed(db, { partners: some }))
}

/** The ETags returned for a path, to any partner, with the bodies they identified. */
type Tags = Map<string, { tag: string; meant: string; changes: number }>

async function askCell(scene: Scene, world: World, random: Random, tags: Tags): Promise<Violation | undefined> {
  const cell = randomCell(world, random)
  const right = expectedOf(world, cell)
  const place = JSON.stringify([cell.route, cell.facilityId, cell.areaId, cell.query])
  const meant = JSON.stringify(right.body ?? null)
  const known = tags.get(place)
  const isAsked = known?.changes === world.changes && cell.route.startsWith('GET') && random.chance(0.5)
  const expected = isAsked && right.status === 200 && known.meant === meant ? { status: 304 } : right
  const extra = { token: scene.tokens[cell.partner.id] as string, requestId: 'cell' }
  const request = requestOf(cell, { ...extra, ifNoneMatch: isAsked ? known.tag : undefined }, random)
  const answer = await send(scene.wires, request)
  const wrong = fault(expected, answer, `${request.text} ${cell.areaId} ${cell.facilityId}`)
  if (wrong !== undefined) return violation(scene, cell, request, expected, answer, wrong)
  if (answer?.status !== 200) return undefined
  note(world, cell, JSON.parse(answer.body))
  const tag = answer.headers.get('etag')
  if (tag !== undefined) tags.set(place, { tag, meant, changes: world.changes })
  return undefined
}

function violation(
  { engine }: Scene,
  { partner, route }: Cell,
  request: Request,
  expected: Expected,
  answer: WireAnswer | undefined,
  wrong: string,
): Violation {
  return {
    what: `${route} (${engine}): ${wrong}`,
    history: [
      `the partner's grants: ${JSON.stringify(partner.grants)}`,
      ...request.text.replace(/Bearer \S+/, 'Bearer …').split('\r\n'),
      `expected: ${JSON.stringify(expected)}`,
      `found: ${answer?.head.split('\r\n')[0]} ${answer?.body}`,
    ],
  }
}
