import { matrix } from '../../partner/matrix/oracle.ts'
import type { Random } from '../../torture/random.ts'
import type { Wire, WireAnswer } from '../../torture/wire.ts'

/** The same request for a hidden and for an absent thing. */
export interface Pair {
  kind: 'facility' | 'area'
  hidden: string
  absent: string
}

function facility(id_external: string) {
  const areas = ['1', '2'].map((id) => ({ id, name: `Room ${id}` }))
  return { id_external, name: id_external, status: 'active', type: 'hotel', room_services: true, areas }
}

export const estate = {
  facilities: [facility('seen'), facility('hidden')],
  partners: [{ id: 'partner', name: 'Partner', grants: [{ facilities: ['seen'], read: '*', write: '*', rooms: '*' }] }],
}

const bodies: Record<string, string> = { PATCH: '{"value":"x"}', POST: '{"value":"[]"}' }

/** Of equal length, since a longer request takes longer. */
const absentAreas = ['absent-1', 'hidden-9']

export function randomPair(token: string, random: Random): Pair {
  const routes = Object.keys(matrix).filter((route) => matrix[route]?.on !== 'nothing')
  const route = random.pick(routes)
  const kind = matrix[route]?.on === 'area' ? 'area' : 'facility'
  const isPlain = random.chance(0.5)
  const write = (facilityId: string, areaId: string) => {
    const [method = '', path = ''] = route.split(' ')
    const target = path
      .replace('{facilityExternalId}', facilityId)
      .replace('{areaExternalId}', areaId)
      .replace('{serviceId}', 'none')
    const body = bodies[method]
    const lines = [
      `${method} ${target} HTTP/1.1`,
      'Host: atrium',
      `Authorization: Bearer ${token}`,
      'X-Request-Id: pair',
      ...(isPlain ? [] : ['Accept:*/*']),
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ]
    return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
  }
  return { kind, hidden: write('hidden', 'hidden-1'), absent: write('absent', random.pick(absentAreas)) }
}

export interface Asked {
  /** The response without its date. */
  bytes: string
  tookNs: number
}

export async function ask(wire: Wire, request: string): Promise<Asked> {
  const startNs = process.hrtime.bigint()
  const answer = await wire.ask({ bytes: request })
  return { tookNs: Number(process.hrtime.bigint() - startNs), bytes: bytesOf(answer) }
}

function bytesOf(answer: WireAnswer | undefined): string {
  return answer === undefined ? 'no response' : `${answer.head.replace(/\r\ndate: [^\r]*/i, '')}\r\n\r\n${answer.body}`
}

const costly = /^atrium_(?:memory_misses_total\{.*|database_transaction_seconds_count\{kind="read")\} (\d+)/gm

/** Returns the number of queries so far, without those of background jobs. */
export async function databaseWork(wire: Wire): Promise<number> {
  const answer = await wire.ask({ bytes: 'GET /metrics HTTP/1.1\r\nHost: atrium\r\n\r\n' })
  return Array.from(answer?.body.matchAll(costly) ?? [], ([, count]) => Number(count)).reduce((a, b) => a + b, 0)
}
