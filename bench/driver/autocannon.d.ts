/** The part of autocannon 8 that the driver uses. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'
  import type { PlainRequest } from '../work.ts'

  namespace autocannon {
    interface Client {
      setRequests(requests: PlainRequest[]): void
      /** Not documented; the fixed rate is kept through these. */
      rate: number | undefined
      reqsMadeThisSecond: number
      paused: boolean | undefined
      _doRequest(): void
      getRequestBuffer(): Buffer
      conn: import('node:net').Socket
    }

    interface Options {
      url: string
      connections: number
      duration?: number
      amount?: number
      sampleInt?: number
      timeout?: number
      setupClient(client: Client): void
    }

    interface Result {
      errors: number
      timeouts: number
      statusCodeStats: Record<string, { count: number }>
    }

    interface Instance extends EventEmitter, PromiseLike<Result> {
      stop(): void
    }
  }

  function autocannon(options: autocannon.Options): autocannon.Instance
  export = autocannon
}
