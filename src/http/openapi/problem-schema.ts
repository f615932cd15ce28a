import type { RefusalCode } from '../../domain/refusal.ts'
import { publicCode } from '../pipeline/errors.ts'
import { type Schema, Type } from '../schema.ts'
import { text } from '../schema-parts.ts'

const Fault = Type.Object({
  pointer: Type.String({
    format: 'json-pointer',
    description:
      'JSON Pointer into the body. In a legacy body, the part after `/value` points into the JSON in that string.',
  }),
  detail: text('The fault, in a sentence.'),
})

export const requiredGrant = Type.Object(
  {
    facility: Type.Optional(text('External id of the facility.')),
    read: Type.Optional(text('Field for which read permission is missing.')),
    write: Type.Optional(text('Field for which write permission is missing.')),
    rooms: Type.Optional(text('Operation on rooms for which permission is missing.')),
    right: Type.Optional(text('Right that the partner lacks, independent of facilities.')),
  },
  {
    description:
      'With `not_granted`: the facility and the one grant on it that is missing, or the right that the partner lacks.',
  },
)

/** `required` is the schema of the member `required`: the permission that the caller lacks. */
export function problemSchema(codes: readonly RefusalCode[], required: Schema): Schema {
  const publicCodes = [...new Set(codes.map(publicCode))]
  return Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'Path of the page that explains this problem.' }),
      title: text('Short name of the problem, the same each time.'),
      status: Type.Integer({ description: 'The HTTP status.' }),
      detail: text('What happened this time and what to do, for people.'),
      instance: Type.String({ format: 'uri', description: 'Identifies this response.' }),
      code: Type.Enum(publicCodes, {
        type: 'string',
        description: 'Stable code of the problem, for programs to decide on. Codes can be added.',
      }),
      request_id: text('The id in the header `X-Request-Id`.'),
      errors: Type.Optional(Type.Array(Fault, { description: 'Faults in the body, at most 50.' })),
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
