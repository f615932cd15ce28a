import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { operationNames } from '../src/domain/room/bulk-body.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { inResultsOnly, partnerCodes, refusalsOf } from '../src/http/openapi/refusals.ts'
import { partnerEndpoints } from '../src/http/partner/routes.ts'
import { meanings, publicCode } from '../src/http/pipeline/errors.ts'
import { help } from '../src/http/site/problem-help.ts'
import {
  documentedRefusals,
  follow,
  illustrated,
  type Node,
  testExamples,
  testLint,
  validatorOf,
} from './harness/openapi.ts'

const openapi: Node = JSON.parse(JSON.stringify(openApiDocument()))

test('docs/openapi.json is generated from the present routes', () => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'))
  assert.deepEqual(kept, openapi, 'docs/openapi.json is out of date: run `npm run openapi`')
})

testLint(openapi, '/v1/me')

describe('the document is complete', () => {
  test('it has every route of /v1 and no other', () => {
    const documented = Object.entries(openapi.paths as Node).flatMap(([path, item]) =>
      Object.keys(item as Node).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const registered = partnerEndpoints.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(documented.filter((route) => route.includes('/v1/')).sort(), registered.sort())
  })

  for (const endpoint of partnerEndpoints) {
    const { method, path } = endpoint
    test(`${method} ${path}: statuses, problems, parameters, headers`, () => {
      const operation = openapi.paths[path][method.toLowerCase()]
      const documented = documentedRefusals(openapi, operation)
      const possible = refusalsOf(endpoint).map((code) => `${meanings[code].status} ${code}`)
      assert.deepEqual(documented.sort(), possible.sort())
      for (const code of ['401 token_missing', '401 token_invalid']) assert.ok(documented.includes(code), code)
      assert.equal('304' in operation.responses, method === 'GET' && endpoint.response.etag)
      const names = operation.parameters.map((parameter: Node) => follow(openapi, parameter).name)
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) assert.ok(names.includes(name), name)
      for (const response of Object.values(operation.responses)) {
        assert.ok('X-Request-Id' in follow(openapi, response).headers, 'X-Request-Id')
      }
    })
  }

  for (const code of partnerCodes) {
    test(`${code}: in the list of codes, with an example and a page`, () => {
      const word = publicCode(code)
      assert.ok(openapi.components.schemas.Problem.properties.code.enum.includes(word))
      assert.ok(word in help && help[word as keyof typeof help].length > 20)
      if (inResultsOnly.includes(code)) return
      assert.equal(openapi.components.examples[code].value.code, word)
      const needle = `#/components/examples/${code}"`
      assert.ok(JSON.stringify([openapi.paths, openapi.components.responses]).includes(needle), 'no route names it')
    })
  }
})

describe('examples fit their schemas', () => {
  const ajv = validatorOf(openapi)

  test('there are many', () => assert.ok(illustrated(openapi).length > 100))

  test('an example that does not fit is found', () => {
    const validate = ajv.compile({ $ref: 'openapi.json#/components/schemas/Area' })
    assert.equal(
      validate({ ...openapi.paths['/v1/areas/{areaExternalId}/'].get.responses[200].content, name: 1 }),
      false,
    )
  })

  testExamples(openapi)

  test('the string in a legacy body fits its schema', () => {
    const { schema, examples } =
      openapi.paths['/v1/areas/{areaExternalId}/data_services'].post.requestBody.content['application/json']
    const { contentSchema } = schema.properties.value
    const validate = ajv.compile({ type: 'array', items: { $ref: `openapi.json${contentSchema.items.$ref}` } })
    for (const { value } of Object.values(examples as Node) as Node[]) assert.ok(validate(JSON.parse(value.value)))
  })

  test('the status of a result says whether it has an area or a problem', () => {
    const validate = ajv.compile({ $ref: 'openapi.json#/components/schemas/OperationResult' })
    const { results } =
      openapi.paths['/v1/facilities/{facilityExternalId}/areas/bulk'].post.responses[200].content['application/json']
        .example
    for (const { status, ...rest } of results) {
      assert.equal(validate({ status, ...rest }), true)
      assert.equal(validate({ status: status === 200 ? 404 : 200, ...rest }), false)
    }
  })
})

describe('an operation on a room', () => {
  const { RoomOperation, ...schemas } = openapi.components.schemas

  test('names the schema of each op', () => {
    assert.equal(RoomOperation.discriminator.propertyName, 'op')
    const mapping = Object.entries(RoomOperation.discriminator.mapping as Record<string, string>)
    assert.deepEqual(
      mapping.map(([op]) => op),
      operationNames,
    )
    for (const [op, pointer] of mapping) {
      const { op: allowed } = schemas[pointer.split('/').at(-1) ?? ''].properties
      assert.ok([allowed.const ?? allowed.enum].flat().includes(op), op)
    }
  })
})
