import type { RoomOptions } from './calls.ts'
import { areaPath, facilityPath } from './path.ts'
import { Resource } from './resource.ts'
import type * as schema from './schema.ts'

export class Rooms extends Resource {
  /** Begins a new cycle and erases what belonged to the previous guest. */
  async open(area: string, options?: RoomOptions): Promise<{ area: schema.Area }> {
    return this.calls.body({ method: 'POST', path: areaPath(area), options: withKey(options), isIdempotent: true })
  }

  /** Ends the given cycle. Without a cycle, a delayed call could end that of the next guest, so it is not retried. */
  async close(area: string, options?: Omit<RoomOptions, 'idempotencyKey'>): Promise<{ area: schema.Area }> {
    const isIdempotent = Boolean(options?.cycle)
    return this.calls.body({ method: 'DELETE', path: areaPath(area), options, isIdempotent })
  }

  /** Moves the guest with all services to a closed room of the same facility, and closes this one. */
  async move(area: string, to: string, options?: RoomOptions): Promise<Moved> {
    const call = { path: `${areaPath(area)}move`, body: { to }, options: withKey(options), isIdempotent: true }
    return this.calls.body({ method: 'POST', ...call })
  }

  /** Carries out up to 500 operations on rooms of one facility. Returns a result for each: look at its `status`. */
  async changeMany(
    facility: string,
    operations: schema.RoomOperation[],
    { mode = 'each', ...options }: ManyOptions = {},
  ): Promise<schema.OperationResult[]> {
    const body = { mode, operations }
    const call = { path: `${facilityPath(facility)}areas/bulk`, body, options: withKey(options), isIdempotent: true }
    return (await this.calls.body<{ results: schema.OperationResult[] }>({ method: 'POST', ...call })).results
  }
}

export interface ManyOptions extends Pick<RoomOptions, 'signal' | 'idempotencyKey'> {
  /** With `all`, one failure leaves everything as it was; by default each operation succeeds or fails on its own. */
  mode?: 'each' | 'all'
}

/** Both rooms after a move. */
export interface Moved {
  from: { area: schema.Area }
  to: { area: schema.Area }
}

/** Adds an idempotency key, so that the call is carried out once, however often it is sent. */
export function withKey(options: RoomOptions = {}): RoomOptions {
  return { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
}
