import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { playgroundWith } from './fixture.ts'

onEachEngine('sandboxes in the CMS', {}, (atrium) => {
  let admin = ''
  let viewer = ''
  before(async () => {
    admin = (await addOperator(atrium(), 'admin')).key
    viewer = (await addOperator(atrium(), 'viewer')).key
  })
  const path = '/cms/v1/partners/hotelier/sandbox'
  const ask = (request: string, body?: unknown, as = admin) =>
    atrium().ask(request, { as, ...(body !== undefined && { body }) })

  const refused: [what: string, request: string, body: unknown, status: number, code: string, detail: RegExp][] = [
    ['none yet', `GET ${path}`, undefined, 404, 'sandbox_not_found', /has no sandbox/],
    ['a reset of none', `POST ${path}/reset`, undefined, 404, 'sandbox_not_found', /has no sandbox/],
    ['no facility', `POST ${path}`, { facilities: [] }, 400, 'body_invalid', /1 to 20 facilities/],
    ['none named', `POST ${path}`, {}, 400, 'body_invalid', /facilities/],
    ['one that is not there', `POST ${path}`, { facilities: ['none'] }, 400, 'body_invalid', /none is no facility/],
    ['one not granted', `POST ${path}`, { facilities: ['chu-nord'] }, 400, 'body_invalid', /covered by no grant/],
  ]
  for (const [what, request, body, status, code, detail] of refused) {
    test(`${what} is refused`, async () => {
      const answer = await ask(request, body)
      assert.deepEqual([answer.status, answer.body.code], [status, code])
      assert.match(answer.body.detail, detail)
    })
  }

  test('a partner without one has an empty list', async () => {
    assert.deepEqual((await ask(`GET ${path}es`)).body, [])
    assert.equal((await ask('GET /cms/v1/partners/none/sandboxes')).body.code, 'partner_not_found')
  })

  test('one is created with the permissions of its partner, used, reset and removed, each with an audit entry', async () => {
    const made = await ask(`POST ${path}`, { facilities: ['lyon-01', 'nice-02'] })
    assert.equal(made.status, 200, made.text)
    const { id, facilities } = made.body
    assert.equal((await ask(`POST ${path}`, { facilities: ['lyon-01'] })).body.code, 'sandbox_exists')
    const { body: issued } = await ask(`POST /cms/v1/partners/${id}/tokens`, { name: 'try' })
    const play = playgroundWith(atrium(), id, issued.secret)
    const [hotel, residence] = facilities.map(({ id_external }: { id_external: string }) => id_external)
    const { grants } = await play.done('GET /v1/me')
    assert.deepEqual(
      grants.map(({ facility, read, write, rooms }: Record<string, string[]>) => [facility, read, write, rooms]),
      [
        [hotel, ['ssid_public', 'address', 'areas'], ['name'], ['open_close']],
        [residence, ['areas'], [], ['open_close']],
      ],
    )
    assert.equal((await play.ask(`PATCH /v1/facilities/${hotel}/ssid_public`, { value: 'x' })).body.code, 'not_granted')
    await play.done(`PATCH /v1/facilities/${hotel}/name`, { value: 'Broken' })
    assert.equal((await ask(`POST ${path}/clock`, { advance: 'PT1H' })).body.clock.ahead_seconds, 3600)
    assert.equal((await ask(`GET ${path}`, undefined, viewer)).body.facilities[0].name, 'Broken')
    assert.deepEqual((await ask(`GET ${path}es`, undefined, viewer)).body, [(await ask(`GET ${path}`)).body])
    assert.equal((await ask(`POST ${path}/reset`, undefined, viewer)).body.code, 'role_insufficient')
    assert.equal((await ask(`POST ${path}/reset`)).body.facilities[0].name, 'Hôtel Bellecour')
    assert.equal((await ask(`DELETE ${path}`)).body.id, id)
    assert.equal((await play.ask('GET /v1/me')).body.code, 'token_invalid')
    const { body: entries } = await ask('GET /cms/v1/audit?limit=100')
    const actions = entries.map(({ action }: { action: string }) => action)
    for (const action of ['create', 'clock', 'reset', 'remove'])
      assert.ok(actions.includes(`sandbox.${action}`), action)
  })
})
