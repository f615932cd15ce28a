import { parseMove } from '../../../domain/room/move-body.ts'
import { moveGuest, needToMove } from '../../../operations/room/move-guest.ts'
import { Type } from '../../schema.ts'
import type { Endpoint } from '../endpoint.ts'
import * as examples from '../examples.ts'
import { bodyHashOf, replayHeader, requireChange } from './room.ts'
import { info } from './subscriptions.ts'

const area = Type.Object({ area: Type.Ref('Area') })

export const postMove: Endpoint = {
  method: 'POST',
  path: '/v1/areas/{areaExternalId}/move',
  operationId: 'moveGuest',
  tag: 'Room services',
  summary: 'Move a guest to another room',
  description:
    'Moves the current cycle to a closed room of the same facility: its id, `opened_at` and all subscriptions with their ids. The room that the guest leaves is closed and erased, as closing it does. What was added to the other room for its next guest is removed, as opening it does.',
  needs: needToMove,
  query: [],
  conditional: 'area',
  cycle: true,
  idempotent: true,
  body: {
    plain: true,
    schema: Type.Object({ to: Type.String({ description: 'Full id of a closed room of the same facility.' }) }),
    examples: { 'to the next room': { to: 'annecy-01-B-203' } },
  },
  response: {
    description: 'Both areas after the change. The ETag is that of the room that the guest left.',
    schema: Type.Object({ info, from: area, to: area }),
    example: {
      info: 'The guest of room annecy-01-B-202 moved to room annecy-01-B-203.',
      from: { area: examples.closedArea },
      to: { area: { ...examples.area, id_external: 'annecy-01-B-203', name: 'Cardiologie B-203' } },
    },
    etag: true,
  },
  refusals: ['room_services_unsupported', 'room_not_open', 'room_occupied'],
  handle: async (context) => {
    const { db, limits } = context
    const change = await requireChange(context, needToMove)
    const body = await context.body()
    const to = parseMove(body, limits.jsonDepth)
    const moved = await moveGuest(db, context.caller, change, { to, bodyHash: bodyHashOf(change.key, body) })
    const text = JSON.stringify(`The guest of room ${change.area} moved to room ${to}.`)
    const json = `{"info":${text},"from":{"area":${moved.from}},"to":{"area":${moved.to}}}`
    return { body: json, etag: moved.etag, headers: replayHeader(moved.replayed) }
  },
}
