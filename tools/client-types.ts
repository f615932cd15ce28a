// npm run openapi, part 2: generates the types of the client from the OpenAPI document of the partner API.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const target = join(root, 'client/src/schema.ts')
const lineLength = 115
const heading = '// Made from docs/openapi.json by `npm run openapi`.\n'

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  description?: string
}

/** Returns the types as TypeScript source. */
export function clientTypes(document: { components: { schemas: Record<string, Schema> } }): string {
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `\n${comment(schema, '')}${declaration(name, schema)}\n`,
  )
  return heading + types.join('')
}

function declaration(name: string, schema: Schema): string {
  if (schema.oneOf === undefined) return `export interface ${name} ${typeOf(schema, '')}`
  return `export type ${name} =${choice(
    schema.oneOf.map((one) => typeOf(one, '')),
    '',
  )}`
}

const words: Record<string, string> = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' }

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown'
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return choice(schema.enum.map(literal), indent)
  const kinds = [schema.type ?? []].flat()
  return kinds.length === 0 ? 'unknown' : kinds.map((kind) => kindOf(kind, schema, indent)).join(' | ')
}

/** Wraps members into lines as long as the limit permits. */
function choice(values: string[], indent: string): string {
  const lines: string[] = []
  for (const value of values) {
    const line = `${lines.at(-1) ?? ''} | ${value}`
    if (lines.length === 0 || line.length > lineLength) lines.push(`\n${indent}  | ${value}`)
    else lines[lines.length - 1] = line
  }
  return lines.join('')
}

function kindOf(kind: string, schema: Schema, indent: string): string {
  if (kind === 'array') return listOf(typeOf(schema.items ?? {}, indent))
  if (kind === 'object') return objectOf(schema, indent)
  return words[kind] ?? kind
}

function listOf(item: string): string {
  return /[|\n]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const inner = `${indent}  `
  if (Object.keys(properties).length === 0 && !additionalProperties) return 'Record<string, never>'
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(schema, inner)}${inner}${name}${mark}: ${typeOf(schema, inner)}\n`.replace(': \n', ':\n')
  })
  if (additionalProperties) lines.push(`${inner}[name: string]: unknown\n`)
  return `{\n${lines.join('')}${indent}}`
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

if (import.meta.main) {
  writeFileSync(target, clientTypes(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))))
}
