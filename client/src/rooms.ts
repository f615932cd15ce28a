import { batchesOf } from './batches.ts'
import type { RoomOptions } from './calls.ts'
import { assertConditions, assertOperations } from './conditions.ts'
import { noteEtag } from './etag.ts'
import { Areas } from './facilities.ts'
import { areaPath, facilityPath } from './path.ts'
import { isLateRefusal } from './problem.ts'
import { Resource } from './resource.ts'
import type * as schema from './schema.ts'

/** An open room, which has a cycle. */
export type OpenArea = schema.Area & { cycle: string; opened_at: string }

export class Rooms extends Resource {
  /** Begins a new cycle and erases what belonged to the previous guest. */
  async open(area: string, options?: RoomOptions): Promise<{ area: OpenArea }> {
    const call = { path: areaPath(area), options: withKey(options), isIdempotent: true }
    return { area: await this.calls.body({ method: 'POST', ...call }, areaIn<OpenArea>) }
  }

  /**
   * Ends the given cycle. Without a cycle, a delayed call could end that of the next guest, so it is not retried.
   * Succeeds if a retry finds the cycle ended and the room closed, because the attempt before has closed it.
   */
  async close(area: string, options?: Omit<RoomOptions, 'idempotencyKey'>): Promise<{ area: schema.Area }> {
    const call = { path: areaPath(area), options, isIdempotent: options?.cycle !== undefined }
    const closed = await this.calls.body({ method: 'DELETE', ...call }, areaIn).catch(async (problem: unknown) => {
      if (!isLateRefusal(problem, 'cycle_ended')) throw problem
      // Fails without the permission to read rooms, which is not part of that to close them.
      const found = await new Areas(this.calls).get(area, { signal: options?.signal }).catch(() => undefined)
      if (found?.cycle !== null) throw problem
      return found
    })
    return { area: closed }
  }

  /** Moves the guest with all services to a closed room of the same facility, and closes this one. */
  async move(area: string, to: string, options?: RoomOptions): Promise<Moved> {
    const call = { path: `${areaPath(area)}move`, body: { to }, options: withKey(options), isIdempotent: true }
    const { body, headers } = await this.calls.send<Moved>({ method: 'POST', ...call })
    noteEtag(body.from.area, headers.get('etag'))
    return body
  }

  /**
   * Carries out operations on rooms of one facility. Returns a result for each: look at its `status`. Sends more than
   * 500 in several calls, one after the other, with those on one room in the same call.
   */
  async changeMany(
    facility: string,
    operations: schema.RoomOperation[],
    { mode = 'each', ...options }: ManyOptions = {},
  ): Promise<schema.OperationResult[]> {
    const path = `${facilityPath(facility)}areas/bulk`
    assertConditions(options)
    assertOperations(operations)
    const batches = batchesOf(operations, mode)
    const { idempotencyKey, ...keyed } = withKey(options)
    const results: schema.OperationResult[] = []
    for (const [number, batch] of batches.entries()) {
      const key = batches.length === 1 ? idempotencyKey : `${idempotencyKey}-${number + 1}`
      const body = { mode, operations: batch.map((index) => operations[index]) }
      const call = { path, body, options: { ...keyed, idempotencyKey: key }, isIdempotent: true }
      const response = await this.calls.body<Results>({ method: 'POST', ...call })
      for (const [at, index] of batch.entries()) results[index] = response.results[at] as schema.OperationResult
    }
    return results
  }
}

interface Results {
  results: schema.OperationResult[]
}

export interface ManyOptions extends Pick<RoomOptions, 'signal' | 'idempotencyKey'> {
  /** With `all`, one failure leaves everything as it was; by default each operation succeeds or fails on its own. */
  mode?: 'each' | 'all'
}

/** Both rooms after a move. */
export interface Moved {
  from: { area: schema.Area }
  to: { area: OpenArea }
}

function areaIn<Area extends schema.Area>({ area }: { area: Area }): Area {
  return area
}

/** Adds an idempotency key, so that the call is carried out once, however often it is sent. */
export function withKey(options: RoomOptions = {}): RoomOptions & { idempotencyKey: string } {
  return { idempotencyKey: crypto.randomUUID(), ...options }
}
