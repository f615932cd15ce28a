import type { Json } from '../openapi/json-schema.ts'

/** A query parameter: how it is read, and what the OpenAPI document says of it. */
interface Parameter<T> {
  /** As it is written in the query, where two routes mean different things by one name. */
  name?: string
  description: string
  schema: Json
  example: unknown
  rule: string
  read(text: string): T | undefined
}

export const parameter = <T>(parameter: Parameter<T>) => parameter
