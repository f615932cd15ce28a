import { Refusal } from '../../domain/refusal.ts'

const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * Returns whether a Host header (RFC 9112, section 3.2) is a host name or an IP address, with or without a port. Such a
 * value has no character that is special in HTML.
 */
export function isHost(host: string): boolean {
  return hostForm.test(host)
}

export function hostInvalid(): Refusal {
  return new Refusal('request_malformed', 'The header Host is not a host name and a port.')
}
