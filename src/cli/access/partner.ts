import type { Config } from '../../config.ts'
import type { Grant } from '../../domain/access/grant.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { nowIso } from '../../domain/time.ts'
import type { PartnerDetails } from '../../operations/cms/partner.ts'
import { Failure } from '../failure.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns, print, printJson, table } from '../output.ts'
import { didYouMean } from '../similar.ts'
import { tokenTable, tokenView } from './token-view.ts'

export function runPartnerList(config: Config, options: { json?: boolean }): Promise<number> {
  return withInstallation(config, async (on) => {
    const partners = await on.findPartners()
    if (options.json) printJson(partners.map(({ id, name, grants, tokens }) => ({ id, name, grants, tokens })))
    else if (partners.length === 0) print('No partners yet. Add them with `atrium apply FILE` from an estate file.')
    else {
      const rows = partners.map(({ id, name, grants, tokens }) => [id, name, String(grants), String(tokens)])
      print(table(['ID', 'NAME', 'GRANTS', 'ACTIVE TOKENS'], rows))
    }
    return 0
  })
}

export function runPartnerShow(config: Config, id: string, options: { json?: boolean }): Promise<number> {
  return withInstallation(config, async (on) => {
    const partner = await on.describePartner(id)
    if (partner === undefined) throw await unknownPartner(on, id)
    if (options.json) printJson(partnerView(partner))
    else printPartner(partner)
    return 0
  })
}

export async function unknownPartner(on: Pick<Installation, 'findPartners'>, id: string): Promise<Failure> {
  const ids = (await on.findPartners()).map((partner) => partner.id)
  if (ids.length === 0) {
    return new Failure(
      `there is no partner "${id}", and no other: add partners with \`atrium apply FILE\` from an estate file`,
    )
  }
  const hint = didYouMean(id, ids) || ':'
  return new Failure(`there is no partner "${id}"${hint} see \`atrium partner list\``)
}

function partnerView({ id, name, contract, rateLimit, webhooks, grants, tokens }: PartnerDetails) {
  const now = nowIso()
  return {
    id,
    name,
    rate_limit: rateLimit,
    webhooks,
    contract: contract === null ? null : parseExactly(contract),
    grants,
    tokens: tokens.map((token) => tokenView(token, now)),
  }
}

function printPartner({ id, name, contract, rateLimit, webhooks, grants, tokens }: PartnerDetails): void {
  const facts = [
    ['id', id],
    ['name', name],
    ['rate limit', rateLimit ?? 'default (ATRIUM_RATE_LIMIT)'],
    ['webhooks', webhooks ? 'managed by the partner' : 'managed by operators'],
    ['contract', contract ?? 'none'],
  ]
  print(columns(facts))
  print('\nGrants')
  print(grants.length === 0 ? '  none: the partner has access to nothing' : columns(grants.flatMap(grantLines), '  '))
  print('\nTokens')
  print(
    tokens.length === 0
      ? `  none: create one with \`atrium token create ${id} --name NAME\``
      : tokenTable(tokens, nowIso()),
  )
}

function grantLines({ facilities, read, write, rooms }: Grant, index: number): string[][] {
  const list = (names: string[] | '*') => (names === '*' ? 'everything' : names.join(', ') || 'nothing')
  return [
    [`${index + 1}`, 'facilities', facilities === '*' ? 'all, future ones included' : list(facilities)],
    ['', 'read', list(read)],
    ['', 'write', list(write)],
    ['', 'rooms', list(rooms)],
  ]
}
