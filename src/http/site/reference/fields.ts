import { table } from '../../openapi/table.ts'
import { anchorOf } from '../guides/render.ts'
import type { JsonSchema } from './document.ts'

/** Returns a table of an object's fields in Markdown, or only its type if its fields are described elsewhere. */
export function fieldTable(schema: JsonSchema): string {
  const rows = [...fieldsOf(schema, ''), ...fieldsOf(schema.items ?? {}, '[].')]
  return rows.length > 0 ? table(['field', 'type', 'meaning'], rows) : `Type: ${typeOf(schema)}`
}

/** Returns the rows of the table. Names of nested fields contain their path, as in `address.city` or `devices[].id`. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`
    const type = `${typeOf(schema)}${required.includes(name) ? '' : ', optional'}`
    const own = [`\`${path}\``, type, schema.description ?? '']
    return [own, ...fieldsOf(schema, `${path}.`), ...fieldsOf(schema.items ?? {}, `${path}[].`)]
  })
}

export function typeOf(schema: JsonSchema): string {
  const { $ref, type, format, items, contentSchema } = schema
  const oneOf = schema.oneOf ?? schema.anyOf
  if ($ref !== undefined) return objectLink($ref.split('/').at(-1) ?? '')
  if (oneOf !== undefined) return oneOf.map(typeOf).join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (items !== undefined) return `array of ${typeOf(items)}`
  if (contentSchema !== undefined) return `string that holds JSON: ${typeOf(contentSchema)}`
  const name = [type ?? 'any value'].flat().join(' or ')
  return [name, format, ...limitsOf(schema)].filter((part) => part !== undefined).join(', ')
}

function limitsOf({ minimum, maximum, minLength, maxLength, pattern }: JsonSchema): (string | undefined)[] {
  return [range(minimum, maximum, ''), range(minLength, maxLength, ' characters'), pattern && `\`${pattern}\``]
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  if (max !== undefined) return `${min ?? 0} to ${max}${unit}`
  return min === undefined ? undefined : `at least ${min}${unit}`
}

function objectLink(name: string): string {
  return `[${name}](#${anchorOf(`${name} object`)})`
}
