/** How a client is made. Only the first two must be given. */
export interface Settings {
  /** Where Atrium answers: `https://atrium.example`, with or without `/v1`. */
  baseUrl: string
  /** The partner's token, or what gives it; asked for each try, so that it can be rotated. */
  token: string | (() => string | Promise<string>)
  /** How often a call is tried in all; 5 unless it is set. 1 switches trying again off. */
  tries?: number
  /** How long one try may take; 30 s unless it is set. */
  timeoutMs?: number
  /** How many calls are sent at the same time; 8 unless it is set. The others wait for their turn. */
  maxConcurrency?: number
  /** In place of the platform's own `fetch`. */
  fetch?: typeof fetch
}
