import { hash } from 'node:crypto'
import { parseMove } from '../../../domain/room/move-body.ts'
import { moveGuest, needToMove } from '../../../operations/room/move-guest.ts'
import { assertCanChangeRoom } from '../../../operations/room.ts'
import { Type } from '../../schema.ts'
import type { Endpoint } from '../endpoint.ts'
import * as examples from '../examples.ts'
import { replayHeader } from './room.ts'
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
    const { db, partner, limits } = context
    const room = { area: context.params.areaExternalId, precondition: context.precondition }
    const { facility } = await assertCanChangeRoom(db, partner, needToMove, room, context.key)
    context.query()
    const key = context.key()
    const body = await context.body()
    const to = parseMove(body, limits.jsonDepth)
    const bodyHash = key === undefined ? '' : hash('sha256', body, 'hex')
    const moved = await moveGuest(db, context.caller, { ...room, key, facility }, { to, bodyHash })
    const text = JSON.stringify(`The guest of room ${room.area} moved to room ${to}.`)
    const json = `{"info":${text},"from":{"area":${moved.from}},"to":{"area":${moved.to}}}`
    return { body: json, etag: moved.etag, headers: replayHeader(moved.replayed) }
  },
}
