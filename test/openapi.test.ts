import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { meanings, publicCode } from '../src/http/errors.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { partnerCodes, refusalsOf } from '../src/http/openapi/refusals.ts'
import { partnerRoutes } from '../src/http/partner/routes.ts'
import { help } from '../src/http/problem-help.ts'

// biome-ignore lint/suspicious/noExplicitAny: these tests look into every corner of the document
type Node = any

const openapi: Node = JSON.parse(JSON.stringify(openApiDocument()))
const withoutSlash = (path: string) => path.replace(/\/$/, '')

function follow(node: Node): Node {
  if (typeof node?.$ref !== 'string') return node
  return follow(
    node.$ref
      .slice(2)
      .split('/')
      .reduce((at: Node, key: string) => at[key], openapi),
  )
}

test('docs/openapi.json is what the routes say', () => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'))
  assert.deepEqual(kept, openapi, 'docs/openapi.json is out of date: run `npm run openapi`')
})

describe('the document is lint-clean', () => {
  const broken = structuredClone(openapi)
  broken.paths['/v1/me/'] = broken.paths['/v1/me']
  delete broken.paths['/v1/me']

  test('with redocly, its recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const lint = (document: object) => lintFromString({ source: JSON.stringify(document), config })
    assert.ok((await lint(broken)).length > 0, 'a slash at the end of a path must be found')
    assert.deepEqual(
      (await lint(openapi)).map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    )
  })

  test('with spectral, its rules for OpenAPI', async () => {
    const spectral = new spectralCore.Spectral()
    spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] })
    assert.ok((await spectral.run(broken)).length > 0, 'a slash at the end of a path must be found')
    assert.deepEqual(
      (await spectral.run(openapi)).map(({ code, message, path }) => [code, message, path.join('.')]),
      [],
    )
  })
})

describe('the document is complete', () => {
  test('it has every route of /v1 and no other', () => {
    const documented = Object.entries(openapi.paths as Node).flatMap(([path, item]) =>
      Object.keys(item as Node).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const registered = partnerRoutes.map(({ method, path }) => `${method} ${withoutSlash(path)}`)
    assert.deepEqual(documented.filter((route) => route.includes('/v1/')).sort(), registered.sort())
  })

  for (const endpoint of partnerRoutes) {
    const { method, path } = endpoint
    test(`${method} ${path}: statuses, problems, parameters, headers`, () => {
      const operation = openapi.paths[withoutSlash(path)][method.toLowerCase()]
      const documented = Object.entries(operation.responses as Node).flatMap(([status, response]) => {
        const content = follow(response).content?.['application/problem+json']
        return Object.keys(content?.examples ?? {}).map((code) => `${status} ${code}`)
      })
      const possible = refusalsOf(endpoint).map((code) => `${meanings[code].status} ${code}`)
      assert.deepEqual(documented.sort(), possible.sort())
      for (const code of ['401 token_missing', '401 token_invalid']) assert.ok(documented.includes(code), code)
      assert.equal('304' in operation.responses, method === 'GET')
      const names = operation.parameters.map((parameter: Node) => follow(parameter).name)
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) assert.ok(names.includes(name), name)
      for (const response of Object.values(operation.responses)) {
        assert.ok('X-Request-Id' in follow(response).headers, 'X-Request-Id')
      }
    })
  }

  for (const code of partnerCodes) {
    test(`${code}: in the list of codes, with an example and a page`, () => {
      const word = publicCode(code)
      assert.ok(openapi.components.schemas.Problem.properties.code.enum.includes(word))
      assert.equal(openapi.components.examples[code].value.code, word)
      assert.ok(word in help && help[word as keyof typeof help].length > 20)
      const needle = `#/components/examples/${code}"`
      assert.ok(JSON.stringify([openapi.paths, openapi.components.responses]).includes(needle), 'no route names it')
    })
  }
})

describe('examples fit their schemas', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(openapi, 'openapi.json')

  /** Everything that has a schema: media types, parameters, headers. */
  function illustrated(node: Node, place: string[] = []): [string[], Node][] {
    if (node === null || typeof node !== 'object') return []
    const inside = Object.entries(node).flatMap(([key, child]) => illustrated(child, [...place, key]))
    const isOne = 'schema' in node && !place.includes('properties')
    return isOne ? [[place, node], ...inside] : inside
  }

  const all = illustrated(openapi)

  test('there are many', () => assert.ok(all.length > 150, String(all.length)))

  test('an example that does not fit is found', () => {
    const validate = ajv.compile({ $ref: 'openapi.json#/components/schemas/Area' })
    assert.equal(
      validate({ ...openapi.paths['/v1/areas/{areaExternalId}'].get.responses[200].content, name: 1 }),
      false,
    )
  })

  for (const [place, node] of all) {
    test(place.join(' '), () => {
      const pointer = [...place, 'schema'].map((key) =>
        encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
      )
      const validate = ajv.compile({ $ref: `openapi.json#/${pointer.join('/')}` })
      const examples =
        'example' in node ? [node.example] : Object.values(node.examples ?? {}).map((one) => follow(one).value)
      assert.ok(examples.length > 0, 'no example')
      for (const example of examples) assert.ok(validate(example), JSON.stringify([example, validate.errors], null, 1))
    })
  }

  test('the string in a legacy body holds what it should', () => {
    const { schema, examples } =
      openapi.paths['/v1/areas/{areaExternalId}/data_services'].post.requestBody.content['application/json']
    const { contentSchema } = schema.properties.value
    const validate = ajv.compile({ type: 'array', items: { $ref: `openapi.json${contentSchema.items.$ref}` } })
    for (const { value } of Object.values(examples as Node) as Node[]) assert.ok(validate(JSON.parse(value.value)))
  })
})
