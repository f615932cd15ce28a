import type { BenchEstate } from '../estate/shape.ts'
import type { Place, PlainRequest, Work } from '../work.ts'

/** Another server that does the same work on the same estate. */
export interface Peer {
  /** As the tables and charts show it, with the engine where there are two: `Directus, PostgreSQL`. */
  name: string
  /**
   * Installs what is missing, fills it with the estate, starts it in its production settings on a free port of
   * loopback and answers once it can serve. Each partner has a static token, a row filter on its facilities and field
   * rights. `progress` takes one line per step. Nothing may be left running when it throws.
   */
  start(estate: BenchEstate, progress: (line: string) => void): Promise<RunningPeer>
}

export interface RunningPeer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string
  /** The process whose memory and processor time count, its children included. */
  pid: number
  version: string
  /**
   * The request that does this work at this place, with the token of `place.partner`. Nothing when the peer cannot do
   * it. MIX and COLD are never asked for: they are made of R2, W1 and R3. It is called often and must not wait.
   */
  requestFor(work: Work, place: Place): PlainRequest | undefined
  /** The id that `place.subscription` of W3 then takes, from the body of a W2's answer. */
  subscriptionIn(body: string): string
  /** Ends every process and removes what was made for this run, except what the next run can use again. */
  stop(): Promise<void>
}
