import { hash } from 'node:crypto'
import { Refusal } from '../../../domain/refusal.ts'
import { facilityFor } from '../../../operations/access/lookup.ts'
import { type BulkResult, changeRooms } from '../../../operations/room/bulk.ts'
import { roomsNeeded } from '../../../operations/room/bulk-operation.ts'
import { notAttempted } from '../../../operations/room/in-order.ts'
import { problemOf } from '../../pipeline/errors.ts'
import { Type } from '../../schema.ts'
import type { Endpoint, PartnerContext } from '../endpoint.ts'
import * as examples from '../examples.ts'
import { replayHeader } from './room.ts'

const arrival = [
  { op: 'open', area: 'annecy-01-B-202' },
  { op: 'add_services', area: 'annecy-01-B-202', services: [{ code: 'tv-premium', end: '2026-11-22' }] },
  { op: 'open', area: 'annecy-01-B-203' },
]

export const postBulk: Endpoint = {
  method: 'POST',
  path: '/v1/facilities/{facilityExternalId}/areas/bulk',
  operationId: 'changeManyRooms',
  tag: 'Room services',
  summary: 'Change many rooms in one call',
  description:
    'Up to 500 operations on rooms of one facility, each with the effect, the checks, the audit entry and the event of its single call. The response is always `200`, with one result per operation, in the same order. Operations on one room run in order; if one fails, the later ones on that room are `424` `not_attempted`.\n\nWith the mode `each`, every operation succeeds or fails on its own. With `all`, one failure leaves everything as it was: it has its problem, and all others are `424`.\n\nOperations need the grants of the single calls: `rooms: open_close` or `rooms: services`. The call counts against the rate limit as many requests as it has operations, but at most a tenth of the burst.',
  needs: 'none',
  query: [],
  idempotent: true,
  body: {
    plain: true,
    schema: Type.Object({
      mode: Type.Enum(['each', 'all'], { description: 'Whether one failure undoes the whole call.' }),
      operations: Type.Array(Type.Ref('RoomOperation'), { minItems: 1, maxItems: 500 }),
    }),
    examples: {
      'check-ins': { mode: 'each', operations: arrival },
      'all or nothing': {
        mode: 'all',
        operations: [{ op: 'close', area: 'annecy-01-B-202', cycle: examples.area.cycle }, arrival[2]],
      },
    },
  },
  response: {
    description: 'The results, in the order of the operations.',
    schema: Type.Object({ results: Type.Array(Type.Ref('OperationResult')) }),
    example: {
      results: [
        { status: 200, area: examples.openedArea },
        { status: 200, area: examples.area },
        { status: 424, problem: problemOf(notAttempted(), '7f0c1d9e-2b4a-4c38-9a57-1e6f80d3b2a4').body },
      ],
    },
    etag: false,
  },
  refusals: ['header_invalid', 'item_invalid', 'limit_exceeded'],
  handle: async (context) => {
    const { db, partner, limits, params } = context
    const { facility } = await facilityFor(db.cache, partner, 'none', params.facilityExternalId)
    const key = context.key()
    assertUnconditional(context)
    context.query()
    const body = await context.body()
    const parsing = { timezone: facility.timezone, limits, contract: partner.contract }
    const order = await context.bodyParser.parseBulk(partner.id, body, parsing)
    context.noteRoomsNeeded(roomsNeeded(order.operations))
    context.charge(order.operations.length)
    const { results, replayed } = await changeRooms(
      db,
      { ...context.caller, partner },
      {
        facility,
        order,
        rules: { limits, endingSeconds: context.endingSeconds },
        maxBytes: limits.bulkBytes,
        once: key && { ...key, bodyHash: hash('sha256', body, 'hex') },
      },
    )
    const failed = results.filter((result) => result instanceof Refusal)
    const [first] = failed
    if (first !== undefined) context.noteFailures(first, failed.length, results.length)
    const json = results.map((result) => resultJson(result, context.caller.actor.requestId ?? ''))
    return { body: `{"results":[${json}]}`, headers: replayHeader(replayed) }
  },
}

/** Refuses If-Match and Atrium-Cycle, which are for one room: if ignored, they would not protect a guest's stay. */
function assertUnconditional({ precondition: { etags, cycle } }: PartnerContext): void {
  if (etags === undefined && cycle === undefined) return
  const detail = 'If-Match and Atrium-Cycle are for one room: name the "cycle" in each operation instead.'
  throw new Refusal('header_invalid', detail)
}

function resultJson(result: BulkResult, requestId: string): string {
  if (!(result instanceof Refusal)) return `{"status":200,"area":${result.area}}`
  const { status, body } = problemOf(result, requestId)
  return JSON.stringify({ status, problem: body })
}
