import type { Json } from '../openapi/json-schema.ts'

/** A query parameter: how it is parsed, and what the OpenAPI document says about it. */
interface Parameter<T> {
  /** The name in the URL, if it differs from the key: on two routes, one name can have two meanings. */
  name?: string
  description: string
  schema: Json
  example: unknown
  rule: string
  read(text: string): T | undefined
}

export const parameter = <T>(parameter: Parameter<T>) => parameter
