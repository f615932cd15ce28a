import type { Config } from '../../../config.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { ApiRequest } from '../../pipeline/request.ts'

const hostForm = /^([a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Returns the address of this installation for the caller: ATRIUM_PUBLIC_URL, or else the address that the request
 * used. The latter can be forged, but is only returned to the same caller and never cached.
 */
export function originFor({ publicUrl }: Pick<Config, 'publicUrl'>, { headers, isEncrypted }: ApiRequest): string {
  if (publicUrl !== null) return publicUrl
  const host = headers.host ?? ''
  if (!hostForm.test(host)) throw new Refusal('request_malformed', 'The header Host is not a host name and a port.')
  return `${isEncrypted ? 'https' : 'http'}://${host}`
}
