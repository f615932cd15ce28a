export type Schema = Readonly<Record<string, unknown>>

export interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>
}

const optional = Symbol('a property that may be left out')

/** Schemas in the notation of TypeBox, for documentation only: each route validates its input itself. */
export const Type = {
  Object: (properties: Record<string, Schema>, options: Schema = {}): ObjectSchema => {
    const required = Object.keys(properties).filter((name) => !(optional in (properties[name] as Schema)))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: 'array', items, ...options }),
  String: (options: Schema = {}): Schema => ({ type: 'string', ...options }),
  Integer: (options: Schema = {}): Schema => ({ type: 'integer', ...options }),
  Number: (options: Schema = {}): Schema => ({ type: 'number', ...options }),
  Boolean: (options: Schema = {}): Schema => ({ type: 'boolean', ...options }),
  Null: (options: Schema = {}): Schema => ({ type: 'null', ...options }),
  Literal: (value: string): Schema => ({ type: 'string', const: value }),
  Enum: (values: readonly string[], options: Schema = {}): Schema => ({
    type: 'string',
    enum: [...values],
    ...options,
  }),
  Union: (anyOf: Schema[], options: Schema = {}): Schema => ({ anyOf, ...options }),
  /** Refers by name to a schema in the components of the OpenAPI document. */
  Ref: (name: string): Schema => ({ $ref: name }),
  Optional: (schema: Schema): Schema => ({ ...schema, [optional]: true }),
  Partial: ({ properties, required, ...rest }: ObjectSchema): ObjectSchema => ({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])),
  }),
}
