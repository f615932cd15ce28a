import { createToken, revokeToken } from '../../../src/operations/access/token.ts'
import { seed } from '../../harness/seed.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Answer } from '../../torture/room-client.ts'
import type { Lane } from './lane.ts'

export const kinds = ['rename', 'reset', 'revocation', 'grant'] as const

export type Kind = (typeof kinds)[number]

/** For each change: fills the caches of all nodes, makes the change, and reads from every node again. */
export const changes: Record<Kind, (lane: Lane) => Promise<Violation | undefined>> = {
  rename: async (lane) => {
    const path = `/v1/facilities/${lane.facility}`
    const name = `Name ${lane.random.below(2 ** 30)}`
    const look = (node: string) => lane.ask(node, path)
    await everywhere(lane, look)
    await lane.change('PATCH', `${path}/name`, { body: { value: name } })
    return firstStale(lane, `renamed ${lane.facility} to ${name}`, look, ({ body }) => body.name === name)
  },

  reset: async (lane) => {
    const room = `${lane.facility}-${lane.random.pick(['1', '2'])}`
    const code = `guest-${lane.random.below(2 ** 30)}`
    const isList = lane.random.chance(0.5)
    const path = isList ? `/v1/facilities/${lane.facility}/areas` : `/v1/areas/${room}/data_services`
    const look = (node: string) => lane.ask(node, path)
    const holds = ({ body }: Answer) => JSON.stringify(body).includes(code)
    const added = { body: { value: JSON.stringify([{ code }]) } }
    await lane.change('POST', `/v1/areas/${room}/data_services`, added)
    const missing = await firstStale(lane, `added ${code} to ${room}`, look, holds)
    if (missing) return missing
    await lane.change('POST', `/v1/areas/${room}/`)
    return firstStale(lane, `opened ${room}, which held ${code}`, look, (answer) => !holds(answer))
  },

  revocation: async (lane) => {
    const issued = await createToken(lane.operator, {
      partner: lane.partner,
      name: 'short-lived',
      expiresAt: null,
      allowedRanges: [],
    })
    if (issued === undefined) throw new Error('no token could be made')
    const look = (node: string) => lane.ask(node, '/v1/me', issued.secret)
    const unknown = await firstStale(lane, 'made a token', look, ({ status }) => status === 200)
    if (unknown) return unknown
    await revokeToken(lane.operator, issued.secret.slice(4, 12))
    return firstStale(lane, 'revoked a token', look, ({ status }) => status === 401)
  },

  grant: async (lane) => {
    const issued = await createToken(lane.operator, {
      partner: lane.partner,
      name: 'grants',
      expiresAt: null,
      allowedRanges: [],
    })
    const look = (node: string) => lane.ask(node, `/v1/facilities/${lane.facility}`, issued?.secret)
    for (const [grants, status] of [
      [[{ facilities: [lane.facility], read: '*', write: [], rooms: [] }], 200],
      [[], 403],
    ] as const) {
      await seed(lane.operator, { partners: [{ id: lane.partner, name: lane.partner, grants }] })
      const stale = await firstStale(
        lane,
        `granted ${JSON.stringify(grants)}`,
        look,
        (found) => found.status === status,
      )
      if (stale) return stale
    }
    return undefined
  },
}

type Look = (node: string) => Promise<Answer>

function everywhere({ nodes }: Lane, look: Look): Promise<Answer[]> {
  return Promise.all(nodes.map(look))
}

/** Reads from all nodes concurrently, after the change was acknowledged. */
async function firstStale(
  lane: Lane,
  what: string,
  look: Look,
  isRight: (answer: Answer) => boolean,
): Promise<Violation | undefined> {
  const answers = await everywhere(lane, look)
  const at = answers.findIndex((answer) => !isRight(answer))
  if (at < 0) return undefined
  const { status, body } = answers[at] as Answer
  return {
    what: `node ${at + 1} of ${lane.nodes.length} returned a stale value`,
    history: [`${what}, acknowledged`, `then read at node ${at + 1}: ${status} ${JSON.stringify(body)}`],
  }
}
