import type { Config } from '../../../config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { ApiRequest } from '../../pipeline/request.ts'

const hostForm = /^([a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Returns the address under which the caller reaches this installation: the configured one, or the one that it used. The
 * latter goes back to the same caller only, in responses that are not cached.
 */
export function originFor({ publicUrl }: Pick<Config, 'publicUrl'>, { headers, isEncrypted }: ApiRequest): string {
  if (publicUrl !== null) return publicUrl
  const host = headers.host ?? ''
  if (!hostForm.test(host)) throw new Refusal('request_malformed', 'The header Host is not a host name and a port.')
  return `${isEncrypted ? 'https' : 'http'}://${host}`
}
