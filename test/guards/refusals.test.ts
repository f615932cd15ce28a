import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RefusalCode } from '../../src/domain/refusal.ts'
import { meanings, publicCode } from '../../src/http/pipeline/errors.ts'
import { help } from '../../src/http/site/problem-help.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { sourceFiles } from './source.ts'

const codes = Object.keys(meanings) as RefusalCode[]
const names = [...new Set(codes.map(publicCode))]

describe('every refusal is explained', () => {
  test('the table of statuses has every code of the domain', () => {
    const [{ text } = { text: '' }] = sourceFiles('src/domain/refusal.ts')
    const union = /export type RefusalCode =(.*?)\n\n/s.exec(text)?.[1] ?? ''
    assert.deepEqual([...union.matchAll(/'(\w+)'/g)].map(([, code]) => code).sort(), codes.toSorted())
  })

  test('each public code has a text, and each text a code', () => {
    assert.deepEqual(Object.keys(help).sort(), names.toSorted())
    for (const [name, text] of Object.entries(help)) assert.match(text, /^[A-Z"].{20,}\.$/s, name)
  })

  test('the documentation that is checked in names each', () => {
    const docs = sourceFiles('docs/**/*.md', 'docs/*.json').map(({ text }) => text)
    assert.deepEqual(
      names.filter((name) => !docs.some((text) => text.includes(name))),
      [],
    )
  })

  test('each code is used: a refusal that nothing throws explains nothing', () => {
    const tables = ['src/domain/refusal.ts', 'src/http/site/problem-help.ts']
    const sources = sourceFiles('src/**/*.ts').filter(({ path }) => !tables.includes(path))
    // In the table of statuses the code is an unquoted key.
    const unused = codes.filter((code) => !sources.some(({ text }) => text.includes(`'${code}'`)))
    assert.deepEqual(unused, [])
  })
})

onEachEngine('the pages of the problems', {}, (atrium) => {
  for (const name of names) {
    test(`/problems/${name}`, async () => {
      const { status, headers, text } = await atrium().ask(`GET /problems/${name}`)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.ok(text.includes(`<code>${name}</code>`))
      for (const code of codes.filter((one) => publicCode(one) === name)) {
        assert.ok(text.includes(String(meanings[code].status)), `${code} is ${meanings[code].status}`)
      }
    })
  }

  test('the list has them all', async () => {
    const { text } = await atrium().ask('GET /problems')
    const listed = [...text.matchAll(/href="\/problems\/(\w+)"/g)].map(([, name]) => name)
    assert.deepEqual(listed.sort(), names.toSorted())
  })

  test('the OpenAPI documents know those that partners and operators can meet', async () => {
    const { text: forPartners } = await atrium().ask('GET /openapi.json')
    const { text: forOperators } = await atrium().ask('GET /cms/openapi.json')
    const internal = ['not_ready', 'metrics_not_allowed']
    const unnamed = names.filter((name) => !`${forPartners}${forOperators}`.includes(name))
    assert.deepEqual(
      unnamed.filter((name) => !internal.includes(name)),
      [],
    )
  })
})
