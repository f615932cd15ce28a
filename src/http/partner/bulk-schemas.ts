import { type Schema, Type } from '../schema.ts'

/** The schemas of a request that changes many rooms: one per operation, one for any of them, and one for a result. */

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

const kinds = { CycleOperation, AddOperation, ReplaceOperation, MoveOperation }

export const bulkSchemas: Record<string, Schema> = {
  ...kinds,
  RoomOperation: {
    $id: 'RoomOperation',
    description: 'What is done to one room.',
    oneOf: Object.keys(kinds).map(Type.Ref),
  },
  OperationResult: Type.Object(
    {
      status: Type.Integer({ description: 'The status that the single call would have, or 424.' }),
      area: Type.Optional(Type.Ref('Area')),
      problem: Type.Optional(Type.Ref('Problem')),
    },
    {
      $id: 'OperationResult',
      description:
        'The area after an operation, or what was wrong. After a move, it is the room that has the guest now.',
    },
  ),
}
