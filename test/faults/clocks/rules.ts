import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken, revokeToken } from '../../../src/operations/access/token.ts'
import type { Random } from '../../torture/random.ts'
import { refused } from '../../torture/room-book.ts'
import { type Answer, RoomClient } from '../../torture/room-client.ts'
import { demand } from './jump.ts'
import type { Lane } from './lane.ts'

/** So close to the expiry either response is right. */
const unsureMs = 3000

/** A token expires by the clock of the node that handles the request. */
export async function tokensEnd({ nodes, ending }: Lane): Promise<void> {
  const client = new RoomClient(ending.secret)
  for (const node of nodes) {
    const leftMs = Date.parse(ending.token.expiresAt as string) - node.clock.nowMs
    if (Math.abs(leftMs) < unsureMs) continue
    const answer = await client.ask(node.url, 'GET', '/v1/facilities/')
    demand(answer, leftMs > 0 ? 200 : 401, `a token that ${leftMs > 0 ? 'goes on' : 'has ended'}`, node)
  }
  client.close()
}

/** A revoked token is refused on every node, whatever its clock says. */
export async function revocationsHold({ nodes, db }: Lane): Promise<void> {
  const issued = await createToken(db, { partner: 'all', name: 'short', expiresAt: null, allowedRanges: [] })
  const client = new RoomClient(issued?.secret ?? '')
  for (const node of nodes) demand(await client.ask(node.url, 'GET', '/v1/me'), 200, 'a new token', node)
  await revokeToken(db, issued?.token.id ?? '')
  for (const node of nodes) demand(await client.ask(node.url, 'GET', '/v1/me'), 401, 'a revoked token', node)
  client.close()
}

/** Sends a write with a key; returns a function that repeats it on any node and expects the first response. */
export async function keyedWrite(lane: Lane, key: string, random: Random): Promise<() => Promise<void>> {
  const path = `/v1/areas/${lane.onceRoom}/data_services`
  const add = async (what: string) => {
    const node = random.pick(lane.nodes)
    const body = { value: JSON.stringify([{ code: key }]) }
    const answer = await lane.client.ask(node.url, 'POST', path, { key, body })
    demand(answer, 200, what, node)
    return answer as Answer
  }
  const first = await add('a write with a key')
  const { id } = first.body.services.data_services.at(-1)
  return async () => {
    const again = await add('the same write again')
    const answers = [first, again].map(({ body }) => JSON.stringify(body))
    const isReplayed = again.headers['idempotency-replayed'] === 'true'
    if (!isReplayed || answers[0] !== answers[1]) throw refused(`${key} ran twice`, answers)
    await lane.client.ask(random.pick(lane.nodes).url, 'DELETE', `${path}/${id}`)
  }
}

/** A write that waits for another process keeps to its timeout although the clock jumps. */
export async function waitingIsPatient({ file, nodes, client, onceRoom }: Lane, random: Random): Promise<void> {
  const [node] = nodes
  if (file === undefined || node === undefined) return
  using other = new DatabaseSync(file)
  other.exec('pragma busy_timeout = 5000; begin immediate')
  const write = client.ask(node.url, 'DELETE', `/v1/areas/${onceRoom}/`)
  await sleep(50)
  node.clock.set(node.clock.offsetSeconds < 0 ? random.below(9) * 3600 : node.clock.offsetSeconds + 60)
  await sleep(50)
  other.exec('commit')
  demand(await write, 200, 'a write that had to wait', node)
}
