import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { parseAddressRange } from '../../domain/access/address-range.ts'
import { emailFault, normalEmail, type Role, roles } from '../../domain/access/operator.ts'
import { passwordFault } from '../../domain/access/password.ts'
import { isObject, parseJson, pointerTo } from '../../domain/json.ts'
import { type Fault, Refusal, refusalFor } from '../../domain/refusal.ts'
import { hasControlCharacter, isLonger } from '../../domain/text.ts'
import { type Check, listOf, nullable, objectOf, text } from '../../estate/check.ts'
import { readTyped } from '../pipeline/body.ts'

export function checkedBody<T>(bytes: Buffer, maxDepth: number, check: Check<T>): T {
  const value = parseJson(bytes.toString('utf8'), { pointer: '', maxDepth, malformed: 'body_not_json' })
  const faults: Fault[] = []
  const checked = check(value, [], (path, detail) => faults.push({ pointer: pointerOf(path), detail }))
  if (faults.length > 0) throw refusalFor('body_invalid', 'Nothing was changed.', faults)
  return checked
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map(pointerTo).join('')
}

interface RequestBody {
  headers: IncomingHttpHeaders
  bytes(): Promise<Buffer>
}

/** Reads a body that is text and not JSON. Refuses U+0000, which not every database engine can store. */
export async function readText(type: string, { headers, bytes }: RequestBody): Promise<string> {
  const body = await readTyped([type], headers, bytes)
  const text = body.toString('utf8')
  if (!isUtf8(body) || text.includes('\0'))
    throw new Refusal('text_forbidden', 'The body must be valid UTF-8 without the character U+0000.')
  return text
}

/** Checks a body whose id is in the path: the body may omit the member `key`, but if present it must equal that id. */
export function named<T>(key: string, id: string, check: Check<T>): Check<T> {
  return (value, where, report) => {
    if (!isObject(value)) return check(value, where, report)
    const { [key]: given = id } = value
    if (given !== id) report([...where, key], 'cannot be changed: the path names it')
    return check({ ...value, [key]: id }, where, report)
  }
}

export function members<C extends Record<string, Check>, R extends keyof C & string = never>(
  checks: C,
  required: R[] = [],
): Check<Pick<Checked<C>, R> & Partial<Omit<Checked<C>, R>>> {
  const keys = Object.entries(checks).map(([name, check]) => [name, { as: name, check }])
  return objectOf({ keys: Object.fromEntries(keys), required })
}

type Checked<C extends Record<string, Check>> = { [K in keyof C]: ReturnType<C[K]> }

export const shortText = (maxLength: number) =>
  text((value) => {
    if (value.trim() === '' || isLonger(value, maxLength)) return `must be 1 to ${maxLength} characters`
    return hasControlCharacter(value) ? 'must not contain control characters' : undefined
  })

export const personName = shortText(100)
export const newPassword = text(passwordFault)
export const anyText = text()

const emailText = text((value) => emailFault(normalEmail(value)))

export const email: Check<string> = (value, path, report) => {
  const given = emailText(value, path, report)
  return typeof given === 'string' ? normalEmail(given) : given
}

export const role: Check<Role> = (value, path, report) => {
  if (!roles.includes(value as Role)) report(path, `must be one of ${roles.join(', ')}`)
  return value as Role
}

const future =
  (otherwise: string): Check<string> =>
  (value, path, report) => {
    const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
    if (!(time > Date.now()))
      report(path, `must be a date-time in the future, such as 2027-01-01T00:00:00Z${otherwise}`)
    return Number.isNaN(time) ? '' : new Date(time).toISOString()
  }

export const futureTime = future('')

export const expiry: Check<string | null> = nullable(future(', or null for never'))

const range = text((value) =>
  parseAddressRange(value) === undefined ? 'must be an address range such as 10.0.0.0/8 or 2001:db8::/32' : undefined,
)

const maxRanges = 50

export const addressRanges: Check<string[]> = (value, path, report) =>
  listOf(range, maxRanges)(value, path, report).map((item) => parseAddressRange(item) ?? '')

export const graceSeconds: Check<number> = (value, path, report) => {
  const usable = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 90 * 86_400
  if (!usable) report(path, 'must be a whole number of seconds from 0 to 7776000')
  return value as number
}
