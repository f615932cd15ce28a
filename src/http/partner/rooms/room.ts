import { assertCanChangeRoom, closeRoom, openRoom } from '../../../operations/room.ts'
import type { ChangedRoom } from '../../../operations/room-view.ts'
import type { EndpointResult } from '../../pipeline/render.ts'
import { Type } from '../../schema.ts'
import type { Endpoint, PartnerContext } from '../endpoint.ts'
import * as examples from '../examples.ts'

const path = '/v1/areas/{areaExternalId}/'
const schema = Type.Object({ info: Type.String({ description: 'A message for people.' }), area: Type.Ref('Area') })

export const postRoom: Endpoint = {
  method: 'POST',
  path,
  operationId: 'openRoom',
  tag: 'Room services',
  summary: 'Open a room',
  description:
    'Starts a new cycle and resets `data_services`. Opening an open room starts another cycle. No body is needed; a body is ignored.',
  needs: { rooms: 'open_close' },
  query: [],
  conditional: 'area',
  cycle: true,
  idempotent: true,
  response: {
    description: 'The area after the change.',
    schema,
    example: { info: 'Room annecy-01-B-202 is open.', area: examples.openedArea },
    etag: true,
  },
  refusals: [],
  handle: async (context) => {
    const change = await requireChange(context)
    return roomResult(context, 'open', await openRoom(context.db, context.caller, change))
  },
}

export const deleteRoom: Endpoint = {
  method: 'DELETE',
  path,
  operationId: 'closeRoom',
  tag: 'Room services',
  summary: 'Close a room',
  description: 'Ends the cycle and resets `data_services`. Closing a closed room only leaves it empty.',
  needs: { rooms: 'open_close' },
  query: [],
  conditional: 'area',
  cycle: true,
  response: {
    description: 'The area after the change.',
    schema,
    example: { info: 'Room annecy-01-B-202 is closed.', area: examples.closedArea },
    etag: true,
  },
  refusals: [],
  handle: async (context) => {
    const change = await requireChange(context)
    return roomResult(context, 'closed', await closeRoom(context.db, context.caller, change))
  },
}

/** Runs all checks that can refuse to open or close a room. Returns the change to carry out. */
async function requireChange(context: PartnerContext) {
  const change = { area: context.params.areaExternalId, precondition: context.precondition }
  const { facility } = await assertCanChangeRoom(
    context.db,
    context.partner,
    { rooms: 'open_close' },
    change,
    context.key,
  )
  context.query()
  return { ...change, key: context.key(), facility }
}

function roomResult(
  { params }: PartnerContext,
  state: 'open' | 'closed',
  { area, etag, replayed }: ChangedRoom,
): EndpointResult {
  const info = JSON.stringify(`Room ${params.areaExternalId} is ${state}.`)
  return { body: `{"info":${info},"area":${area}}`, etag, headers: replayHeader(replayed) }
}

export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { 'idempotency-replayed': 'true' } : {}
}
