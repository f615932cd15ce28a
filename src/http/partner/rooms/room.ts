import { hash } from 'node:crypto'
import type { RoomNeed } from '../../../domain/access/grant.ts'
import { assertCanChangeRoom, closeRoom, openRoom } from '../../../operations/room.ts'
import type { ChangedRoom } from '../../../operations/room-view.ts'
import type { EndpointResult } from '../../pipeline/render.ts'
import { Type } from '../../schema.ts'
import type { Endpoint, PartnerContext } from '../endpoint.ts'
import * as examples from '../examples.ts'

const path = '/v1/areas/{areaExternalId}/'
const needs = { rooms: 'open_close' } as const
const schema = Type.Object({ info: Type.String({ description: 'A message for people.' }), area: Type.Ref('Area') })

export const postRoom: Endpoint = {
  method: 'POST',
  path,
  operationId: 'openRoom',
  tag: 'Room services',
  summary: 'Open a room',
  description:
    'Starts a new cycle and resets `data_services`. Opening an open room starts another cycle. No body is needed; a body is ignored.',
  needs,
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
    const change = await requireChange(context, needs)
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
  needs,
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
    const change = await requireChange(context, needs)
    return roomResult(context, 'closed', await closeRoom(context.db, context.caller, change))
  },
}

/** Runs all checks of a change of a room that need no body. Returns the change to carry out. */
export async function requireChange(context: PartnerContext, need: RoomNeed) {
  const { db, partner, params, precondition, key } = context
  const change = { area: params.areaExternalId, precondition }
  const { facility } = await assertCanChangeRoom(db, partner, need, change, key)
  context.query()
  return { ...change, key: key(), facility }
}

/** Returns the hash of a body that a retry with the same Idempotency-Key must have; empty without a key. */
export function bodyHashOf(key: object | undefined, body: Buffer): string {
  return key === undefined ? '' : hash('sha256', body, 'hex')
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
