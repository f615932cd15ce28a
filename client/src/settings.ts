/** Options of a client; only the first two are required. */
export interface Settings {
  /** Address of the installation: `https://atrium.example`, with or without `/v1`. */
  baseUrl: string
  /** The partner's token, or a function that returns it; called for each attempt, so that tokens can be rotated. */
  token: string | (() => string | Promise<string>)
  /** Maximum attempts per call; default: 5. 1 disables retries. */
  tries?: number
  /** Timeout of one attempt; default: 30 s. */
  timeoutMs?: number
  /** Maximum concurrent calls; default: 8. Further ones are queued. */
  maxConcurrency?: number
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
}
