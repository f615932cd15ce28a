import type { Config } from '../../config.ts'
import { normalEmail, type Operator } from '../../domain/access/operator.ts'
import { isUsable, type OperatorKey } from '../../domain/access/token.ts'
import { commandLine } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { findOperators } from '../../operations/access/operator.ts'
import { createKey, findKeys, revokeKey } from '../../operations/access/operator-key.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { minute, print, printJson, table } from '../output.ts'
import { withDatabase } from '../with-database.ts'
import { parseExpiry } from './expiry.ts'
import { type CreateOptions, parseName, parseRanges } from './token.ts'

interface Options {
  json?: boolean
}

export function runKeyCreate(config: Config, address: string, options: CreateOptions): Promise<number> {
  const draft = {
    name: parseName(options.name),
    expiresAt: parseExpiry(options.expires),
    allowedRanges: parseRanges(options.allow),
  }
  return withDatabase(config, async (db) => {
    const { id, email, role, disabledAt } = await operatorAt(db, address)
    if (disabledAt !== null) throw new Failure(`${email} is disabled, so a key would be refused`)
    const { key, secret } = await createKey(db, commandLine, { operator: id, ...draft })
    const { name, expiresAt } = key
    if (options.json) printJson({ id: key.id, key: secret, operator: email, name, expires_at: expiresAt })
    else {
      print(`Key ${key.id} (${name}) of ${email} (${role}), ${lifeOf(key)}:\n`)
      print(`  ${secret}\n`)
      print('Save it now: it is shown only once, because only its SHA-256 is stored.')
    }
    return 0
  })
}

export function runKeyList(config: Config, address: string | undefined, options: Options): Promise<number> {
  return withDatabase(config, async (db) => {
    const owner = address === undefined ? undefined : await operatorAt(db, address)
    const emails = new Map((await findOperators(db)).map(({ id, email }) => [id, email]))
    const keys = (await findKeys(db, owner?.id)).map((key) => ({ ...key, operator: emails.get(key.operator) ?? '' }))
    if (options.json) printJson(keys.map(view))
    else if (keys.length === 0) print('No keys yet. Create one with `atrium operator key create EMAIL --name NAME`.')
    else print(table(['ID', 'OPERATOR', 'NAME', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED'], keys.map(row)))
    return 0
  })
}

export function runKeyRevoke(config: Config, id: string, options: Options): Promise<number> {
  const publicId = /^atk_([0-9A-Za-z]{8})/.exec(id)?.[1]
  if (publicId !== undefined) {
    throw new Failure(`use the id of the key, ${publicId}, never the key itself: others can see a command line`)
  }
  return withDatabase(config, async (db) => {
    const key = await revokeKey(db, commandLine, id, undefined).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'key_not_found') throw error
      throw new Failure(`there is no key "${id}": see \`atrium operator key list\``)
    })
    const owner = (await findOperators(db)).find((operator) => operator.id === key.operator)
    if (options.json) printJson(view({ ...key, operator: owner?.email ?? '' }))
    else print(`Key ${id} (${key.name}) of ${owner?.email} is revoked and refused from now on.`)
    return 0
  })
}

async function operatorAt(db: Db, address: string): Promise<Operator> {
  const email = normalEmail(address)
  const operator = (await findOperators(db)).find((one) => one.email === email)
  if (operator !== undefined) return operator
  throw new Failure(`there is no operator "${email}": create one with \`atrium operator create\``)
}

function lifeOf({ expiresAt }: OperatorKey): string {
  return expiresAt === null ? 'never expires' : `expires ${minute(expiresAt)}`
}

function statusOf(key: OperatorKey): string {
  if (key.revokedAt !== null) return 'revoked'
  return isUsable(key, nowIso()) ? 'active' : 'expired'
}

function view(key: OperatorKey): object {
  const { id, operator, name, createdAt, expiresAt, revokedAt, lastUsedAt, allowedRanges } = key
  return {
    id,
    operator,
    name,
    status: statusOf(key),
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used_at: lastUsedAt,
    allowed_ranges: allowedRanges,
  }
}

function row(key: OperatorKey): string[] {
  const { id, operator, name, createdAt, expiresAt, lastUsedAt } = key
  const orNever = (time: string | null) => (time === null ? 'never' : minute(time))
  return [id, operator, name, statusOf(key), minute(createdAt), orNever(expiresAt), orNever(lastUsedAt)]
}
