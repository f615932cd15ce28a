import type { Json } from '../openapi/json-schema.ts'

/** A query parameter: its parser and its part of the OpenAPI document. */
interface Parameter<T> {
  /** Name in the query, when it differs from the key: two routes use one name with different meanings. */
  name?: string
  description: string
  schema: Json
  example: unknown
  rule: string
  read(text: string): T | undefined
}

export const parameter = <T>(parameter: Parameter<T>) => parameter
