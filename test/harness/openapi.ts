import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Answered } from './atrium.ts'

// biome-ignore lint/suspicious/noExplicitAny: these tests read all parts of a document
export type Node = any

/** Resolves a reference in the document. */
export function follow(document: Node, node: Node): Node {
  if (typeof node?.$ref !== 'string') return node
  const keys: string[] = node.$ref.slice(2).split('/')
  return follow(
    document,
    keys.reduce((at: Node, key) => at[key], document),
  )
}

/** A validator that knows the schemas of the document as `openapi.json#/…`. */
export function validatorOf(document: Node): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false })
  formats.default(ajv)
  return ajv.addSchema(document, 'openapi.json')
}

/** Headers of HTTP itself, which a document need not declare. */
const transport = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

/** Checks a response against its operation in the document: status, headers, type and body. */
export function documentedBy(document: Node): (answer: Answered, operation: Node) => void {
  const ajv = validatorOf(document)
  const compiled = new Map<string, ValidateFunction>()
  const validatorFor = (schema: Node) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate
  }
  return (answer, operation) => {
    const response = follow(document, operation.responses[answer.status])
    assert.ok(response, `${answer.status} is not documented: ${answer.text}`)
    const known = [...Object.keys(response.headers).map((name) => name.toLowerCase()), ...transport]
    for (const name of answer.headers.keys()) assert.ok(known.includes(name), `the header ${name} is not documented`)
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] as string
    if (answer.text === '') return
    const { schema } = response.content[type]
    const validate = validatorFor(schema)
    if (/json/.test(type)) assert.ok(validate(answer.body), JSON.stringify(validate.errors))
  }
}

/** Examples are checked by tests of their own below, in a tenth of the time. */
const switchedOff = {
  'oas3-valid-media-example': 'off',
  'oas3-valid-schema-example': 'off',
  'path-keys-no-trailing-slash': 'off',
} as const

/**
 * Runs two linters, each of which must also find a query in the given path. Trailing slashes come from the
 * specification.
 */
export function testLint(document: Node, path: string): void {
  const broken = { ...document, paths: { [`${path}?x=1`]: document.paths[path] } }

  describe('the document is lint-clean', () => {
    test('with redocly, its recommended rules', async () => {
      const config = await createConfig({ extends: ['recommended'], rules: { 'no-path-trailing-slash': 'off' } })
      const lint = async (source: object) =>
        (await lintFromString({ source: JSON.stringify(source), config })).map(({ ruleId, message, location }) => [
          ruleId,
          message,
          location[0]?.pointer,
        ])
      assert.notDeepEqual(await lint(broken), [], 'a query in a path must be found')
      assert.deepEqual(await lint(document), [])
    })

    test('with spectral, its rules for OpenAPI', async () => {
      const spectral = new spectralCore.Spectral()
      spectral.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']], rules: switchedOff })
      const lint = async (source: Node) =>
        (await spectral.run(source)).map(({ code, message, path: place }) => [code, message, place.join('.')])
      assert.notDeepEqual(await lint(broken), [], 'a query in a path must be found')
      assert.deepEqual(await lint(document), [])
    })
  })
}

/** Checks every example of the document against its schema. */
export function testExamples(document: Node): void {
  const ajv = validatorOf(document)
  for (const [place, node] of illustrated(document)) {
    test(place.join(' '), () => {
      const pointer = [...place, 'schema'].map((key) =>
        encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
      )
      const validate = ajv.compile({ $ref: `openapi.json#/${pointer.join('/')}` })
      const named = Object.values(node.examples ?? {}).map((one) => follow(document, one).value)
      const examples = 'example' in node ? [node.example] : named
      assert.ok(examples.length > 0, 'no example')
      for (const example of examples) assert.ok(validate(example), JSON.stringify([example, validate.errors], null, 1))
    })
  }
}

/** Lists everything that has a schema: media types, parameters, headers. */
export function illustrated(node: Node, place: string[] = []): [string[], Node][] {
  if (node === null || typeof node !== 'object') return []
  const inside = Object.entries(node).flatMap(([key, child]) => illustrated(child, [...place, key]))
  const isOne = 'schema' in node && !place.includes('properties')
  return isOne ? [[place, node], ...inside] : inside
}

/** Lists `status code` of each refusal that the document declares for an operation. */
export function documentedRefusals(document: Node, operation: Node): string[] {
  return Object.entries(operation.responses as Node).flatMap(([status, response]) => {
    const content = follow(document, response).content?.['application/problem+json']
    return Object.keys(content?.examples ?? {}).map((code) => `${status} ${code}`)
  })
}
