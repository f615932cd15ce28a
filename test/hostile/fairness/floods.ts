import type { LineRequest } from '../../torture/line.ts'

/** Concurrent requests of an attacker, each on a connection of its own. */
export interface Flood {
  name: string
  /** The partner; undefined for sign-ins. */
  as?: 'slow' | 'busy' | 'follower'
  requests: LineRequest[]
  /** The requests of the quiet partner meanwhile, and how many. */
  victim: 'add' | 'list' | 'read' | 'follow'
  times: number
  /** The quiet partner begins at the first response of the flood, when the other requests certainly wait. */
  isQueuedFirst?: true
  /** Counts the responses that cost work; others were refused at once. */
  isWork(status: number): boolean
  /** Their maximum, where it does not depend on the speed of the machine. */
  workAtMost?(seconds: number): number
}

/** Catastrophic backtracking: each further letter doubles the time. */
export const slowContract = { properties: { note: { pattern: '^(a+)+$' } } }

const entries = Array.from({ length: 10_000 }, (_, n) => ({ id_external: `${n}`, name: `Room ${n} ${'é'.repeat(8)}` }))
const many = (length: number, request: (n: number) => LineRequest) => Array.from({ length }, (_, n) => request(n))

/** Sign-in attempts in sequence: five at once, then one after each backoff of 1, 2, 4 … seconds. */
const guesses = (seconds: number) => 5 + Math.log2(seconds + 1)

export function floodsOf(round: number): Flood[] {
  const from = (kind: number) => ({ 'X-Forwarded-For': `198.18.${kind}.${round % 250}` })
  const signIn = (kind: number, email: string): LineRequest => ({
    method: 'POST',
    path: '/cms/v1/sign-in',
    headers: from(kind),
    body: { email, password: 'not the right one' },
  })
  const slow = { value: JSON.stringify([{ code: 'tv', note: `${'a'.repeat(5000)}!` }]) }
  return [
    {
      name: 'a contract that is slow',
      as: 'slow',
      requests: many(6, () => ({ method: 'POST', path: '/v1/areas/f-1/data_services', body: slow })),
      victim: 'add',
      times: 3,
      isWork: (status) => status === 400,
    },
    {
      name: 'long lists',
      as: 'busy',
      requests: many(16, (n) => ({
        method: 'PATCH',
        path: '/v1/facilities/g/areas_autocomplete_list',
        // Serialized here, because it would delay the quiet partner, which this process is as well.
        body: JSON.stringify({ value: entries.slice(n) }),
      })),
      victim: 'list',
      times: 1,
      isQueuedFirst: true,
      isWork: (status) => status === 200,
    },
    {
      name: 'sign-ins to many accounts',
      requests: many(60, (n) => signIn(1, `nobody-${round}-${n}@example.com`)),
      victim: 'read',
      times: 8,
      isWork: (status) => status === 401,
    },
    {
      name: 'guesses of one password',
      requests: many(60, () => signIn(2, `nobody-${round}@example.com`)),
      victim: 'read',
      times: 1,
      isWork: (status) => status === 401,
      workAtMost: guesses,
    },
    {
      name: 'long polls',
      as: 'follower',
      requests: many(80, () => ({ method: 'GET', path: '/v1/events?wait=20' })),
      victim: 'follow',
      times: 1,
      isWork: (status) => status === 200,
    },
  ]
}
