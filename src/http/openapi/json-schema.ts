import type { Schema } from '../schema.ts'

export type Json = Record<string, unknown>

export function jsonSchema(schema: Schema): Json {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === '$id') return undefined
      return key === '$ref' ? `#/components/schemas/${value}` : value
    }),
  )
}

export function schemaComponents(schemas: Record<string, Schema>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchema(schema)]))
}

export function ref(kind: 'parameters' | 'headers' | 'examples' | 'responses' | 'schemas', name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}
