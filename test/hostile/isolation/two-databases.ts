import { seed } from '../../harness/seed.ts'
import { withDb } from '../../harness/with-db.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Random } from '../../torture/random.ts'
import type { WireAnswer } from '../../torture/wire.ts'
import { randomCell } from './cells.ts'
import { hiddenChanges } from './hidden.ts'
import { type Cell, expectedOf } from './oracle.ts'
import { requestOf, send, type Wires } from './requests.ts'
import type { Scene } from './scene.ts'
import { type Partner, sees, type World } from './world.ts'

/** Requests per partner and round, each sent twice with a hidden change in between. */
const pairsPerChange = 50

/**
 * Sends the same requests to two databases that are equal for one partner and different for all others, and compares
 * the responses byte by byte. Reads only: after a write, generated ids and times would differ.
 */
export async function comparePairs(
  [one, other]: [Scene, Scene],
  world: World,
  random: Random,
  { count, done, signal }: { count: number; done(): void; signal: AbortSignal },
): Promise<Violation | undefined> {
  const partner = random.pick(world.partners.filter(({ grants }) => grants.length > 0))
  const tags: string[] = []
  for (let asked = 0; asked < count && !signal.aborted; asked++) {
    if (asked % pairsPerChange === 0) {
      await withDb(other.databaseUrl, (db) => seed(db, hiddenChanges(world, partner, random)))
    }
    const cell = readableCell(world, partner, random)
    const token = one.tokens[partner.id] as string
    const ifNoneMatch = random.chance(0.3) && tags.length > 0 ? random.pick(tags) : undefined
    const request = requestOf(cell, { token, requestId: 'pair', ifNoneMatch }, random)
    const ask = ({ wires }: { wires: Wires }) => send(wires, request)
    const [first, second] = await Promise.all([ask(one), ask(other)])
    if (bytesOf(first) !== bytesOf(second)) {
      return violation(one, partner, request.text, [bytesOf(first), bytesOf(second)])
    }
    const tag = first?.headers.get('etag')
    if (tag !== undefined) tags.push(tag)
    done()
  }
  return undefined
}

function readableCell(world: World, partner: Partner, random: Random): Cell {
  for (;;) {
    const cell = randomCell(world, random, partner)
    const isRead = cell.route.startsWith('GET') || expectedOf(world, cell).status !== 200
    // Room 9 is added only to facilities that the partner cannot see; it knows the rooms of all others.
    const isSteady = cell.room !== undefined || !sees(partner, cell.facilityId)
    if (isRead && isSteady) return cell
  }
}

/** The response without the date and the cursors of events, which differ each time. */
function bytesOf(answer: WireAnswer | undefined): string {
  if (answer === undefined) return 'no response'
  const body = answer.body.replace(/"next":"[\w-]{22}"/, '"next":"…"')
  return `${answer.head.replace(/\r\ndate: [^\r]*/i, '')}\r\n\r\n${body}`
}

function violation({ engine }: Scene, partner: Partner, request: string, answers: [string, string]): Violation {
  return {
    what: `two databases that are equal for a partner (${engine}) return different responses`,
    history: [
      `the partner's grants: ${JSON.stringify(partner.grants)}`,
      ...request.replace(/Bearer \S+/, 'Bearer …').split('\r\n'),
      ...answers.flatMap((answer) => ['answer:', ...answer.split('\r\n')]),
    ],
  }
}
