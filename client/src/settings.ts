/** How a client is made. Only the first two must be given. */
export interface Settings {
  /** Where Atrium answers, without `/v1`: `https://atrium.example`. */
  baseUrl: string
  /** The partner's token, or what gives it; asked for each try, so that it can be rotated. */
  token: string | (() => string | Promise<string>)
  /** How often a call is tried in all; 5 unless it is set. 1 switches trying again off. */
  tries?: number
  /** How long one try may take; 30 s unless it is set. */
  timeoutMs?: number
  /** In place of the platform's own `fetch`. */
  fetch?: typeof fetch
}
