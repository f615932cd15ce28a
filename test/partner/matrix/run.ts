import assert from 'node:assert/strict'
import type { Answered, TestAtrium } from '../../harness/atrium.ts'
import { dump } from '../../harness/dump.ts'
import { type Cell, matrix, type Target, targetsOf, type Verdict, verdict } from './oracle.ts'
import { canary, type Partner, partners, root } from './world.ts'

export interface Result {
  cell: Cell
  sent: Sent
  answer: Answered
}

interface Sent {
  request: string
  value?: unknown
  serviceId: string
}

/** A valid body for each route that takes one: the current value where that is allowed, else a new one. */
const values: Record<string, (target: Target, allowed: boolean) => unknown> = {
  'PATCH /v1/facilities/{facilityExternalId}/areas_autocomplete_list': (target, allowed) =>
    allowed ? [{ id_external: '1', name: canary(target, 'areas_autocomplete_list') }] : [],
  'PATCH /v1/facilities/{facilityExternalId}/name': (target, allowed) => (allowed ? target : 'Renamed'),
  'PATCH /v1/facilities/{facilityExternalId}/ssid_public': (target, allowed) =>
    allowed ? canary(target, 'ssid_public') : 'Rewired',
  'PATCH /v1/facilities/{facilityExternalId}/subscription_url': (target, allowed) =>
    allowed ? `https://${canary(target, 'subscription_url')}.example` : 'https://moved.example',
  'POST /v1/areas/{areaExternalId}/data_services': () => '[{"code":"tv"}]',
}

/** A valid body for each route that takes a plain one. */
const plainBodies: Record<string, (target: Target) => unknown> = {
  'POST /v1/facilities/{facilityExternalId}/areas/bulk': (target) => ({
    mode: 'each',
    operations: operationsOn(target),
  }),
  'PUT /v1/areas/{areaExternalId}/data_services': () => ({ data_services: [{ code: 'tv' }] }),
  'POST /v1/areas/{areaExternalId}/move': (target) => ({ to: `${target}-1` }),
  'PATCH /v1/areas/{areaExternalId}/data_services/{serviceId}': () => ({ label: 'Changed' }),
}

/** An operation of each grant, in rooms of their own, and one in a room that is not there. */
export function operationsOn(target: Target): object[] {
  return [
    { op: 'close', area: `${target}-2` },
    { op: 'add_services', area: `${target}-1`, services: [] },
    { op: 'open', area: `${target}-999` },
  ]
}

/** Sends the request of every cell. The refusals of one partner share a comparison of the database before and after. */
export async function runMatrix(atrium: TestAtrium): Promise<{ results: Result[]; stored: string[] }> {
  const kept = await addService(atrium, 'clinic')
  const results: Result[] = []
  const stored: string[] = []
  for (const partner of partners) {
    const cells = cellsOf(partner)
    const refused = cells.filter((cell) => verdict(cell).status !== 200)
    const before = await dump(atrium.service.db)
    results.push(...(await Promise.all(refused.map((cell) => ask(atrium, cell, kept)))))
    if ((await dump(atrium.service.db)) !== before) stored.push(partner.id)
    const allowed = cells.filter((cell) => verdict(cell).status === 200)
    const reads = allowed.filter(({ route }) => route.startsWith('GET'))
    results.push(...(await Promise.all(reads.map((cell) => ask(atrium, cell, kept)))))
    for (const cell of allowed.filter((cell) => !reads.includes(cell))) {
      if (cell.route.endsWith('/move')) await prepareMove(atrium, cell.target)
      const serviceId = cell.route.endsWith('{serviceId}') ? await addService(atrium, cell.target) : kept
      results.push(await ask(atrium, cell, serviceId))
    }
  }
  return { results, stored }
}

function cellsOf(partner: Partner): Cell[] {
  return Object.entries(matrix).flatMap(([route, { on }]) =>
    targetsOf[on].map((target) => ({ partner, route, target })),
  )
}

async function addService({ ask }: TestAtrium, facility: Target): Promise<string> {
  const answer = await ask(`POST /v1/areas/${facility}-1/data_services`, {
    as: root.id,
    body: { value: '[{"code":"x"}]' },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.services.data_services.at(-1).id
}

/** Opens the second room and closes the first, to which its guest can move then. */
async function prepareMove({ ask }: TestAtrium, facility: Target): Promise<void> {
  for (const request of [`DELETE /v1/areas/${facility}-1/`, `POST /v1/areas/${facility}-2/`]) {
    assert.equal((await ask(request, { as: root.id })).status, 200)
  }
}

async function ask(atrium: TestAtrium, cell: Cell, serviceId: string): Promise<Result> {
  const { partner, route, target } = cell
  const value = values[route]?.(target, verdict(cell).status === 200)
  const request = route
    .replace('{facilityExternalId}', target)
    .replace('{areaExternalId}', areaOf(route, target))
    .replace('{serviceId}', serviceId)
    .replace('{webhookId}', '0192f0c1-2d3e-7abc-8def-0123456789ab')
  const plain = plainBodies[route]?.(target)
  const body = plain !== undefined ? { body: plain } : value === undefined ? {} : { body: { value } }
  const headers = { 'x-request-id': 'matrix' }
  return {
    cell,
    sent: { request, value, serviceId },
    answer: await atrium.ask(request, { as: partner.id, headers, ...body }),
  }
}

const isOfWholeRoom = /^((POST|DELETE) .*\/\{areaExternalId\}\/|PUT .*\/data_services|POST .*\/move)$/

/** Changes other rooms than the one whose services must stay. */
function areaOf(route: string, target: Target): string {
  if (target === 'unknown') return 'clinic-999'
  return `${target}-${isOfWholeRoom.test(route) ? '2' : '1'}`
}

/** Returns how a response differs from the oracle, undefined when it does not. */
export function difference({ cell, answer }: Result, oracle: (cell: Cell) => Verdict = verdict): string | undefined {
  const { status, body } = answer
  const refusal = status === 200 ? {} : { code: body.code, ...(body.required && { required: body.required }) }
  const found: Verdict = { status, ...refusal, ...(status === 200 && shown(cell.route, body)) }
  const expected = oracle(cell)
  try {
    assert.deepEqual(found, expected)
    return undefined
  } catch {
    return `${cell.partner.id} on ${cell.target}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`
  }
}

function shown(route: string, body: Record<string, unknown> | { id_external: string }[]): { shows?: string[] } {
  if (Array.isArray(body) && route === 'GET /v1/facilities/') {
    return { shows: body.map(({ id_external }) => id_external) }
  }
  return route === 'GET /v1/facilities/{facilityExternalId}/' ? { shows: Object.keys(body).sort() } : {}
}
