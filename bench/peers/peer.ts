import type { BenchEstate } from '../estate/shape.ts'
import type { Place, PlainRequest, Work } from '../work.ts'

/** Another server that does the same work on the same estate. */
export interface Peer {
  /** Name in tables and charts, with the engine if there are two: `Directus, PostgreSQL`. */
  name: string
  /**
   * Installs what is missing, fills it with the estate, starts it in its production settings on a free port of
   * loopback and resolves once it can serve. Each partner has a static token, a row filter on its facilities and field
   * rights. `progress` takes one line per step. Nothing may be left running when it throws.
   */
  start(estate: BenchEstate, progress: (line: string) => void): Promise<RunningPeer>
}

export interface RunningPeer {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  url: string
  /** Process whose memory and CPU time are measured, including its children. */
  pid: number
  version: string
  /**
   * Returns the request for this work at this place, with the token of `place.partner`; undefined when the peer cannot do
   * it. Never called for MIX and COLD, which consist of R2, W1 and R3. Called often, so it must be fast.
   */
  requestFor(work: Work, place: Place): PlainRequest | undefined
  /** Returns the id for `place.subscription` of W3, from the response body of a W2. */
  subscriptionIn(body: string): string
  /** Ends every process and removes the data of this run, except what the next run can reuse. */
  stop(): Promise<void>
}
