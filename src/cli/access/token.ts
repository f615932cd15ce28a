import type { Config } from '../../config.ts'
import { parseAddressRange } from '../../domain/access/address-range.ts'
import type { Token } from '../../domain/access/token.ts'
import { hasControlCharacter, isLonger } from '../../domain/text.ts'
import { nowIso } from '../../domain/time.ts'
import { Failure } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import { minute, print, printJson } from '../output.ts'
import { parseExpiry, parseGrace } from './expiry.ts'
import { unknownPartner } from './partner.ts'
import { tokenTable, tokenView } from './token-view.ts'

export interface CreateOptions {
  name: string
  expires: string
  allow?: string
  json?: boolean
}

export function runTokenCreate(config: Config, partner: string, options: CreateOptions): Promise<number> {
  const order = {
    partner,
    name: parseName(options.name),
    expiresAt: parseExpiry(options.expires),
    allowedRanges: parseRanges(options.allow),
  }
  return withInstallation(config, async (on) => {
    const issued = await on.createToken(order)
    if (issued === undefined) throw await unknownPartner(on, partner)
    if (options.json) printJson(issuedView(issued.token, issued.secret))
    else printIssued(issued.token, issued.secret)
    return 0
  })
}

export function runTokenList(config: Config, partner: string | undefined, options: { json?: boolean }) {
  return withInstallation(config, async (on) => {
    const tokens = await on.findTokens(partner)
    if (tokens === undefined) throw await unknownPartner(on, partner as string)
    const now = nowIso()
    if (options.json) printJson(tokens.map((token) => tokenView(token, now)))
    else if (tokens.length > 0) print(tokenTable(tokens, now))
    else print(`No tokens yet. Create one with \`atrium token create ${partner ?? 'PARTNER'} --name NAME\`.`)
    return 0
  })
}

export function runTokenRevoke(config: Config, id: string, options: { json?: boolean }): Promise<number> {
  refuseSecret(id)
  return withInstallation(config, async (on) => {
    const now = on.now()
    const token = await on.revokeToken(id)
    if (token === undefined) throw unknownToken(id)
    if (options.json) printJson(tokenView(token, now))
    else if ((token.revokedAt as string) < now)
      print(`Token ${id} was revoked already, on ${minute(token.revokedAt ?? '')}.`)
    else print(`Token ${id} (${token.name}) of ${token.partner} is revoked and refused from now on.`)
    return 0
  })
}

export interface RotateOptions {
  grace: string
  expires?: string
  json?: boolean
}

export function runTokenRotate(config: Config, id: string, options: RotateOptions): Promise<number> {
  refuseSecret(id)
  const graceSeconds = parseGrace(options.grace)
  const order = options.expires === undefined ? {} : { expiresAt: parseExpiry(options.expires) }
  return withInstallation(config, async (on) => {
    const rotation = await on.rotateToken(id, { graceSeconds, ...order })
    if (rotation === 'unknown') throw unknownToken(id)
    if (rotation === 'revoked') {
      throw new Failure(`token ${id} is revoked, which cannot be undone: create a new one with \`atrium token create\``)
    }
    const { token, secret, old } = rotation
    if (options.json) printJson({ ...issuedView(token, secret), replaces: tokenView(old, nowIso()) })
    else {
      printIssued(token, secret)
      print(`The old token ${old.id} ${old.revokedAt ? 'is revoked' : `works until ${minute(old.expiresAt ?? '')}`}.`)
    }
    return 0
  })
}

function issuedView(token: Token, secret: string) {
  return { id: token.id, token: secret, partner: token.partner, name: token.name, expires_at: token.expiresAt }
}

function printIssued(token: Token, secret: string): void {
  const life = token.expiresAt === null ? 'never expires' : `expires ${minute(token.expiresAt)}`
  const from = token.allowedRanges.length === 0 ? '' : `, accepted from ${token.allowedRanges.join(', ')}`
  print(`Token ${token.id} (${token.name}) of ${token.partner}, ${life}${from}:\n`)
  print(`  ${secret}\n`)
  print('Save it now: it is shown only once, because only its SHA-256 is stored.')
}

export function parseName(text: string): string {
  const name = text.trim()
  if (name !== '' && !isLonger(name, 100) && name.isWellFormed() && !hasControlCharacter(name)) return name
  throw new Failure('--name must be 1 to 100 characters without control characters')
}

export function parseRanges(text: string | undefined): string[] {
  if (text === undefined) return []
  return text.split(',').map((item) => {
    const range = parseAddressRange(item.trim())
    if (range !== undefined) return range
    throw new Failure(
      `"${item.trim()}" is not an address range: use CIDR ranges with --allow, such as 10.0.0.0/8,2001:db8::/32`,
    )
  })
}

/** Refuses a token in place of its id: arguments are visible to other users and stay in the shell's history. */
function refuseSecret(id: string): void {
  const publicId = /^atr_(?:test_)?([0-9A-Za-z]{8})/.exec(id)?.[1]
  if (publicId === undefined) return
  throw new Failure(`use the id of the token, ${publicId}, never the token itself: others can see a command line`)
}

function unknownToken(id: string): Failure {
  return new Failure(`there is no token "${id}": see \`atrium token list\``)
}
