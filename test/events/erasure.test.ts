import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { allAfter, starts } from './reading.ts'

const room = '/v1/areas/chu-nord-216'
const other = '/v1/areas/chu-nord-215'
const canary = 'canary-of-a-guest'
const guest = [{ code: canary, label: canary, note: canary, start: '2999-01-01', end: '2999-01-02' }]
const ask = async (atrium: TestAtrium, request: string, value?: string) => {
  const answer = await atrium.ask(request, { as: 'ward', ...(value !== undefined && { body: { value } }) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const add = (atrium: TestAtrium) => ask(atrium, `POST ${room}/data_services`, JSON.stringify(guest))
/** Changes the service, with a field whose name says something about the guest. */
const change = async (atrium: TestAtrium, id: string) => {
  const patch = { label: `${canary} now`, [`${canary} field`]: canary }
  const answer = await atrium.ask(`PATCH ${room}/data_services/${id}`, { as: 'ward', body: patch })
  assert.equal(answer.status, 200, answer.text)
}

const endings = [
  { what: 'the next guest arrives', end: (atrium: TestAtrium) => ask(atrium, `POST ${room}`) },
  { what: 'the guest leaves', end: (atrium: TestAtrium) => ask(atrium, `DELETE ${room}`) },
  {
    what: 'the guest has moved to another room',
    end: async (atrium: TestAtrium) => {
      await ask(atrium, `DELETE ${other}`)
      const body = { to: 'chu-nord-215' }
      assert.equal((await atrium.ask(`POST ${room}/move`, { as: 'ward', body })).status, 200)
    },
  },
  {
    what: 'the service is deleted',
    end: async (atrium: TestAtrium) => {
      const { data_services } = await ask(atrium, `GET ${room}/data_services`)
      await ask(atrium, `DELETE ${room}/data_services/${data_services.at(-1).id}`)
    },
  },
]

onEachEngine('guest data', {}, (atrium) => {
  for (const { what, end } of endings) {
    test(`is in events while it exists, and in none once ${what}`, async () => {
      await ask(atrium(), `POST ${room}`)
      const from = (await starts(atrium(), ['ward'])).get('ward') ?? ''
      const { services } = await add(atrium())
      const before = await allAfter(atrium(), 'ward', from)
      assert.deepEqual(before[0]?.data.services, services.data_services)
      await change(atrium(), services.data_services[0].id)
      const [, changed] = await allAfter(atrium(), 'ward', from)
      assert.deepEqual(changed?.data.changed, ['label', `${canary} field`])
      await end(atrium())
      const after = await allAfter(atrium(), 'ward', from)
      assert.deepEqual(after[0]?.data.ids, before[0]?.data.ids)
      assert.ok(!JSON.stringify(after).includes(canary), JSON.stringify(after))
    })
  }

  test('is in events of a closed room until it is opened', async () => {
    await ask(atrium(), `DELETE ${room}`)
    const from = (await starts(atrium(), ['ward'])).get('ward') ?? ''
    await add(atrium())
    assert.ok(JSON.stringify(await allAfter(atrium(), 'ward', from)).includes(canary))
    await ask(atrium(), `POST ${room}`)
    await ask(atrium(), `DELETE ${room}`)
    assert.ok(!JSON.stringify(await allAfter(atrium(), 'ward', from)).includes(canary))
  })
})
