import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { cmsDocument } from '../../src/http/openapi/cms-document.ts'
import { cmsSamples } from '../../src/http/openapi/cms-problem-examples.ts'
import { cmsRefusalsOf } from '../../src/http/openapi/refusals.ts'
import { meanings } from '../../src/http/pipeline/errors.ts'
import { documentedRefusals, follow, illustrated, type Node, testExamples, testLint } from '../harness/openapi.ts'

const openapi: Node = JSON.parse(JSON.stringify(cmsDocument()))

test('docs/cms-openapi.json is up to date', () => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/cms-openapi.json'), 'utf8'))
  assert.deepEqual(kept, openapi, 'docs/cms-openapi.json is out of date: run `npm run openapi`')
})

testLint(openapi, '/cms/v1/me')

describe('the document is complete', () => {
  test('it has every route of /cms/v1 and no other', () => {
    const documented = Object.entries(openapi.paths as Node).flatMap(([path, item]) =>
      Object.keys(item as Node).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(documented.sort(), cmsRoutes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  for (const endpoint of cmsRoutes) {
    const { method, path, role } = endpoint
    test(`${method} ${path}: statuses, problems, parameters, headers`, () => {
      const operation = openapi.paths[path][method.toLowerCase()]
      const documented = documentedRefusals(openapi, operation)
      const possible = new Set(cmsRefusalsOf(endpoint).map((code) => `${meanings[code].status} ${code}`))
      assert.deepEqual(documented.sort(), [...possible].sort())
      assert.equal(documented.includes('401 sign_in_required'), role !== 'anyone')
      const names = operation.parameters.map((parameter: Node) => follow(openapi, parameter).name)
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) assert.ok(names.includes(name), name)
      for (const response of Object.values(operation.responses)) {
        assert.ok('X-Request-Id' in follow(openapi, response).headers, 'X-Request-Id')
      }
    })
  }

  for (const code of Object.keys(cmsSamples)) {
    test(`${code}: in the list of codes, with an example, named by a route`, () => {
      assert.ok(openapi.components.schemas.Problem.properties.code.enum.includes(code))
      assert.equal(openapi.components.examples[code].value.code, code)
      const needle = `#/components/examples/${code}"`
      assert.ok(JSON.stringify([openapi.paths, openapi.components.responses]).includes(needle), 'no route names it')
    })
  }
})

describe('examples fit their schemas', () => {
  test('there are more than 100', () => assert.ok(illustrated(openapi).length > 100))
  testExamples(openapi)
})
