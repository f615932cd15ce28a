import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parse } from 'yaml'
import { onEachEngine } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { addOperator } from '../harness/operators.ts'

onEachEngine('the estate is exported', {}, (atrium) => {
  let key = ''
  before(async () => {
    key = (await addOperator(atrium(), 'admin')).key
  })
  const get = (query: string) => atrium().ask(`GET /cms/v1/export${query}`, { as: key })

  test('the export has the same content as YAML and JSON, without guest data or tokens', async () => {
    const add = { as: 'ward', body: { value: '[{"code":"tv","label":"a guest"}]' } }
    assert.equal((await atrium().ask('POST /v1/areas/chu-nord-214/data_services', add)).status, 200)
    const yaml = await get('')
    const json = await get('?format=json')
    assert.match(yaml.headers.get('content-type') ?? '', /^application\/yaml/)
    assert.deepEqual(parse(yaml.text), json.body)
    const ids = (items: { id_external: string }[]) => items.map(({ id_external }) => id_external)
    assert.deepEqual(ids(json.body.facilities), ids(estate.facilities))
    assert.equal(json.body.partners.length, estate.partners.length)
    for (const hidden of ['a guest', 'atr_', 'atk_']) assert.ok(!yaml.text.includes(hidden), hidden)
  })

  test('another format is refused', async () => {
    assert.equal((await get('?format=xml')).body.code, 'parameter_invalid')
  })
})
