import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { root } from '../../torture/plant.ts'
import type { WireAnswer } from '../../torture/wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document has every shape
type Node = any

export interface Operation {
  method: string
  /** With `{parameters}`. */
  path: string
  /** Names of the documented query parameters and headers. */
  query: string[]
  headers: string[]
  takesBody: boolean
}

const document: Node = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema(document, 'document')

function at(pointer: string): Node {
  return pointer
    .slice(2)
    .split('/')
    .reduce((node, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

function resolved(node: Node): Node {
  return node.$ref === undefined ? node : at(node.$ref)
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

export const operations: Operation[] = Object.entries(document.paths as Node).flatMap(([path, item]: Node) =>
  methods
    .filter((method) => item[method] !== undefined)
    .map((method) => {
      const parameters: Node[] = (item[method].parameters ?? []).map(resolved)
      const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
      const takesBody = item[method].requestBody !== undefined
      return { method: method.toUpperCase(), path, query: named('query'), headers: named('header'), takesBody }
    }),
)

/** Standard HTTP headers, which need no documentation. */
const transport = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']
const allowed = ['allow', 'retry-after', 'www-authenticate']

const validators = new Map<string, ValidateFunction>()

function validatorFor(pointer: string): ValidateFunction {
  const known = validators.get(pointer)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: `document${pointer}` })
  validators.set(pointer, made)
  return made
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** Returns how a response differs from the document of its operation, undefined when it conforms. */
export function undocumented({ method, path }: Operation, answer: WireAnswer): string | undefined {
  const { status, headers, body } = answer
  const responses = document.paths[path][method.toLowerCase()].responses
  const named = responses[status]
  if (named === undefined) return `the status ${status} is not documented`
  const response = resolved(named)
  const known = [...Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()), ...transport, ...allowed]
  const stranger = [...headers.keys()].find((name) => !known.includes(name))
  if (stranger !== undefined) return `the header ${stranger} is not documented`
  // Compressed bodies are skipped: the same ones are checked when they are not compressed.
  if (body === '' || headers.has('content-encoding')) return undefined
  const type = (headers.get('content-type') ?? '').split(';')[0] as string
  const base = named.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`
  return misshapen(`${base}/content/${escaped(type)}/schema`, response.content?.[type], type, body)
}

/** The same for refusals before routing. */
export function notAProblem({ status, headers, body }: WireAnswer): string | undefined {
  if (status < 400 || body === '') return undefined
  const type = (headers.get('content-type') ?? '').split(';')[0] as string
  if (type !== 'application/problem+json') return `a refusal as ${type}`
  return misshapen('#/components/schemas/Problem', {}, type, body)
}

function misshapen(pointer: string, content: Node, type: string, body: string): string | undefined {
  if (content === undefined) return `the type ${type} is not documented`
  if (!/json/.test(type)) return undefined
  const validate = validatorFor(pointer)
  return validate(JSON.parse(body)) ? undefined : `not of its schema: ${ajv.errorsText(validate.errors)}`
}
