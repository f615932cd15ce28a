import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { dump } from '../harness/dump.ts'
import { startReceiver } from '../harness/receiver.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { playground } from '../sandbox/fixture.ts'

type Route = (typeof partnerEndpoints)[number]

/** The faults of a request, in the order of the checks. The response is about the first. */
const ladder = {
  method: { status: 405, code: 'method_not_allowed' },
  token: { status: 401, code: 'token_invalid' },
  rate: { status: 429, code: 'rate_limited' },
  existence: { status: 0, code: '' },
  grant: { status: 403, code: 'not_granted' },
  installation: { status: 403, code: 'room_services_unsupported' },
  key: { status: 400, code: 'idempotency_key_invalid' },
  cycle: { status: 412, code: 'cycle_ended' },
  etag: { status: 412, code: 'precondition_failed' },
  query: { status: 400, code: 'parameter_unknown' },
  type: { status: 415, code: 'body_type_unsupported' },
  size: { status: 413, code: 'body_too_large' },
  json: { status: 400, code: 'body_not_json' },
}
type Fault = keyof typeof ladder
const faults = Object.keys(ladder) as Fault[]

const grant = (rights: unknown) => ({ facilities: ['f', 'plain'], read: rights, write: rights, rooms: rights })
const partner = (id: string, rights: unknown, rate_limit = 'off') => ({
  id,
  name: id,
  rate_limit,
  webhooks: rights === '*',
  grants: [grant(rights)],
})
const facility = (id_external: string, room_services: boolean) => {
  return { id_external, name: id_external, room_services, areas: [{ id: '1', name: 'One' }] }
}
const estate = {
  facilities: [facility('f', true), facility('plain', false), facility('hidden', true)],
  partners: [
    partner('rested', '*'),
    partner('rested-bare', []),
    partner('tired', '*', '0.0001/s burst 1'),
    partner('tired-bare', [], '0.0001/s burst 1'),
  ],
}

/** Returns the faults that a request to this route can have. */
function faultsOf({ needs, right, sandbox, path, conditional, cycle, idempotent, body }: Route): Fault[] {
  const can: Record<Fault, boolean> = {
    method: true,
    token: true,
    rate: true,
    existence: path.includes('{'),
    grant: needs !== 'none' || right !== undefined || sandbox === true,
    installation: needs !== 'none' && 'rooms' in needs && Object.values(needs).includes('services'),
    key: idempotent === true,
    cycle: cycle === true,
    etag: conditional !== undefined,
    query: true,
    type: body !== undefined,
    size: body !== undefined,
    json: body !== undefined,
  }
  // Partner permissions are checked before existence.
  const order: Fault[] = right === undefined && !sandbox ? faults : ['method', 'token', 'rate', 'grant', ...faults]
  return [...new Set(order)].filter((fault) => can[fault])
}

/** Each fault alone, each pair, and each with all later ones. */
function combinations(possible: Fault[]): Fault[][] {
  const pairs = possible.flatMap((first, at) => possible.slice(at + 1).map((second) => [first, second]))
  return [...possible.map((fault) => [fault]), ...pairs, ...possible.map((_, at) => possible.slice(at))]
}

function send({ ask }: TestAtrium, route: Route, webhook: string, has: (fault: Fault) => boolean) {
  const target = has('existence') ? 'hidden' : has('installation') ? 'plain' : 'f'
  const path = route.path
    .replace('{facilityExternalId}', target)
    .replace('{areaExternalId}', `${target}-1`)
    .replace('{serviceId}', 'x')
    .replace('{webhookId}', has('existence') ? 'hidden' : webhook)
  const body = has('json') ? '{' : '{"value": "x"}'
  return ask(`${has('method') ? wrongMethod(route) : route.method} ${path}${has('query') ? '?x=1' : ''}`, {
    as: has('token') ? 'wrong' : `${has('rate') ? 'tired' : 'rested'}${whose(route, has('grant'))}`,
    headers: {
      ...(has('key') && { 'idempotency-key': 'é' }),
      ...(has('cycle') && { 'atrium-cycle': '0192f0c1-2d3e-7abc-8def-0123456789ab' }),
      ...(has('etag') && { 'if-match': '"stale"' }),
      ...(route.body && { 'content-type': has('type') ? 'text/plain' : 'application/json' }),
    },
    ...(route.body && { body: body + (has('size') ? ' '.repeat(2000) : '') }),
  })
}

/** A method that no route of this path has. */
function wrongMethod({ path }: Route): string {
  const own = partnerEndpoints.filter((route) => route.path === path).map(({ method }) => method)
  return (['PUT', 'PATCH'] as const).find((method) => !own.includes(method)) ?? assert.fail(`${path} has both`)
}

/** A token that is not of a sandbox. */
function whose({ sandbox }: Route, isBare: boolean): string {
  if (sandbox) return isBare ? '' : '-in-sandbox'
  return isBare ? '-bare' : ''
}

function expectedOf(route: Route, fault: Fault): { status: number; code: string } {
  if (fault === 'grant' && route.sandbox) return { status: 403, code: 'sandbox_required' }
  if (fault !== 'existence') return ladder[fault]
  if (route.path.includes('{webhookId}')) return { status: 404, code: 'webhook_not_found' }
  return route.path.includes('{areaExternalId}')
    ? { status: 404, code: 'area_not_found' }
    : { status: 403, code: 'facility_not_granted' }
}

const settings = { ATRIUM_LIMIT_BODY_BYTES: '1024', ATRIUM_WEBHOOK_ALLOWED_RANGES: '127.0.0.1/32' }

onEachEngine('the response is about the first fault', { estate, settings }, (atrium) => {
  let webhook = ''
  before(async () => {
    await using receiver = await startReceiver()
    const made = await atrium().ask('POST /v1/webhooks', { as: 'rested', body: { url: receiver.url, types: '*' } })
    webhook = made.body.webhook.id
    for (const owner of ['rested', 'tired']) {
      const { token } = await playground(atrium(), owner, ['f'])
      atrium().tokens[`${owner}-in-sandbox`] = token
    }
    for (const as of ['tired', 'tired-bare', 'tired-in-sandbox'])
      assert.equal((await atrium().ask('GET /v1/me', { as })).status, 200)
  })

  for (const route of partnerEndpoints) {
    const possible = faultsOf(route)
    test(`${route.method} ${route.path}: ${possible.join(', ')}`, async () => {
      const stored = await dump(atrium().service.db)
      for (const combination of combinations(possible)) {
        const answer = await send(atrium(), route, webhook, (fault) => combination.includes(fault))
        const { status, code } = expectedOf(route, combination[0] as Fault)
        assert.equal(answer.status, status, `${combination.join(' + ')}: ${answer.text}`)
        assertProblem(answer, status, code)
      }
      assert.equal(await dump(atrium().service.db), stored)
    })
  }

  test('a path that is no route is 404 whatever else is wrong', async () => {
    const wrong = { as: 'wrong', headers: { 'content-type': 'text/plain' }, body: '{' }
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      assertProblem(await atrium().ask(`${method} /v1/facilities/f/nothing?x=1`, wrong), 404, 'route_not_found')
    }
  })
})
