import type { OperationName } from '../../domain/room/bulk-body.ts'
import { meanings } from '../pipeline/errors.ts'
import { type Schema, Type } from '../schema.ts'

const operation = (name: string, description: string, op: Schema, more: Record<string, Schema> = {}) =>
  Type.Object(
    {
      op,
      area: Type.String({ minLength: 1, description: 'Full id of the room.' }),
      cycle: Type.Optional(
        Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
          description: 'If the room is in another cycle, or with null is open, nothing is changed in it.',
        }),
      ),
      ...more,
    },
    { $id: name, description },
  )

const CycleOperation = operation('CycleOperation', 'Opens or closes a room.', Type.Enum(['open', 'close']))

const AddOperation = operation('AddOperation', 'Adds subscriptions, all or none.', Type.Literal('add_services'), {
  services: Type.Array(Type.Ref('SubscriptionDraft'), { description: 'The subscriptions to add.' }),
})

const ReplaceOperation = operation(
  'ReplaceOperation',
  'Replaces all subscriptions, or none.',
  Type.Literal('replace_services'),
  {
    services: Type.Array(Type.Ref('WantedSubscription'), {
      description: 'The subscriptions that the room is to have.',
    }),
  },
)

const MoveOperation = operation('MoveOperation', 'Moves the guest to another room.', Type.Literal('move'), {
  to: Type.String({ minLength: 1, description: 'Full id of a closed room of the same facility.' }),
})

const operations: Record<OperationName, Schema> = {
  open: CycleOperation,
  close: CycleOperation,
  add_services: AddOperation,
  replace_services: ReplaceOperation,
  move: MoveOperation,
}

const problemStatuses = [...new Set(Object.values(meanings).map(({ status }) => status))].sort()

const results = {
  SucceededOperation: Type.Object(
    {
      status: { type: 'integer', const: 200 },
      area: Type.Ref('Area'),
    },
    {
      $id: 'SucceededOperation',
      description: 'The area after an operation. After a move, it is the room that has the guest now.',
    },
  ),
  FailedOperation: Type.Object(
    {
      status: {
        type: 'integer',
        enum: problemStatuses,
        description: 'The status that the single call would have, or 424.',
      },
      problem: Type.Ref('Problem'),
    },
    { $id: 'FailedOperation', description: 'What was wrong with an operation.' },
  ),
}

const kinds = { CycleOperation, AddOperation, ReplaceOperation, MoveOperation }
const pointer = (name: unknown) => `#/components/schemas/${name}`

export const bulkSchemas: Record<string, Schema> = {
  ...kinds,
  RoomOperation: {
    $id: 'RoomOperation',
    description: 'What is done to one room. `op` says which members it has.',
    oneOf: Object.keys(kinds).map(Type.Ref),
    discriminator: {
      propertyName: 'op',
      mapping: Object.fromEntries(Object.entries(operations).map(([op, { $id }]) => [op, pointer($id)])),
    },
  },
  ...results,
  OperationResult: {
    $id: 'OperationResult',
    description: 'The result of one operation: with the status 200 its area, otherwise its problem.',
    oneOf: Object.keys(results).map(Type.Ref),
  },
}
