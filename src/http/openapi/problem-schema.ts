import type { RefusalCode } from '../../domain/refusal.ts'
import { publicCode } from '../pipeline/errors.ts'
import { type Schema, Type } from '../schema.ts'

const Fault = Type.Object({
  pointer: Type.String({
    format: 'json-pointer',
    description:
      'JSON Pointer into the body. Behind `/value` of a legacy string it points into the JSON in the string.',
  }),
  detail: Type.String({ description: 'What is wrong there.' }),
})

export const requiredGrant = Type.Object(
  {
    facility: Type.Optional(Type.String({ description: 'External id of the facility.' })),
    read: Type.Optional(Type.String({ description: 'Field that would have to be readable.' })),
    write: Type.Optional(Type.String({ description: 'Field that would have to be writable.' })),
    rooms: Type.Optional(Type.String({ description: 'Operation on rooms that would have to be allowed.' })),
    right: Type.Optional(Type.String({ description: 'Right that the partner as a whole would have to have.' })),
  },
  {
    description:
      'With `not_granted`: the facility and the one grant on it that is missing, or the right that the partner lacks.',
  },
)

/** Returns the schema of every problem of one API; `required` differs between the two. */
export function problemSchema(codes: readonly RefusalCode[], required: Schema): Schema {
  const publicCodes = [...new Set(codes.map(publicCode))]
  return Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'The page on this problem, a path of this service.' }),
      title: Type.String({ description: 'The problem in a few words, the same each time.' }),
      status: Type.Integer({ description: 'The HTTP status.' }),
      detail: Type.String({ description: 'What happened this time and what to do, for people.' }),
      instance: Type.String({ format: 'uri', description: 'Names this answer.' }),
      code: Type.Enum(publicCodes, { type: 'string', description: 'A stable word to decide on. The list can grow.' }),
      request_id: Type.String({ description: 'As in `X-Request-Id`.' }),
      errors: Type.Optional(Type.Array(Fault, { description: 'What is wrong with the body, at most 50 faults.' })),
      required: Type.Optional(required),
      known: Type.Optional(
        Type.Array(Type.String(), {
          description: 'With `parameter_unknown`: the query parameters that the route takes.',
        }),
      ),
    },
    { $id: 'Problem', description: 'Problem details (RFC 9457), the body of every refusal.' },
  )
}
