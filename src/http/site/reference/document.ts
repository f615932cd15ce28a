export interface Document {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string }>
    examples: Record<string, unknown>
  }
}

interface Operation {
  tags: string[]
  summary: string
  description: string
  parameters: object[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Response>
}

export interface PlacedOperation extends Operation {
  method: string
  path: string
}

interface Response {
  description: string
  content?: Record<string, MediaType>
}

export interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

export interface Parameter {
  name: string
  in: string
  description: string
  schema: JsonSchema
}

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  enum?: string[]
  const?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  contentSchema?: JsonSchema
  required?: string[]
  properties?: Record<string, JsonSchema>
}

export function follow<T extends object | undefined>(document: Document, node: T): T {
  if (node === undefined || !('$ref' in node)) return node
  const keys = String(node.$ref).slice('#/'.length).split('/')
  return keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document) as T
}
