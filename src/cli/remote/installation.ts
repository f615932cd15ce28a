import type { PartnerWithGrants } from '../../domain/access/partner.ts'
import type { Token } from '../../domain/access/token.ts'
import { Refusal, type RefusalCode } from '../../domain/refusal.ts'
import type { ClockChange } from '../../domain/sandbox-clock.ts'
import type { RotationOptions, TokenDraft, TokenImport } from '../../operations/access/token.ts'
import type { PartnerDetails } from '../../operations/cms/partner.ts'
import type { Installation } from '../installation.ts'
import type { RemoteServer } from './server.ts'
import {
  type PartnerRowView,
  type PartnerView,
  partnerFrom,
  type SandboxView,
  sandboxFrom,
  summaryFrom,
  type TokenView,
  tokenFrom,
} from './views.ts'

export function remoteInstallation(server: RemoteServer): Installation {
  const sandbox = async (owner: string, path = '', sent = {}) =>
    sandboxFrom(await server.call<SandboxView>(`${partnerPath(owner)}/sandbox${path}`, sent))
  const tokensOf = async (partner: string) =>
    (await server.call<TokenView[]>(`${partnerPath(partner)}/tokens`)).map(tokenFrom)
  return {
    now: () => server.connectedAt,
    findPartners: async () => (await server.list<PartnerRowView>('/cms/v1/partners?limit=1000')).map(summaryFrom),
    describePartner: (id) => unless('partner_not_found', undefined, () => describe(server, id, tokensOf)),
    createToken: (draft) => unless('partner_not_found', undefined, () => create(server, draft)),
    importToken: (draft) => unless('partner_not_found', undefined, () => importToken(server, draft)),
    findTokens: async (partner) => {
      if (partner !== undefined) return unless('partner_not_found', undefined, () => tokensOf(partner))
      return (await server.call<TokenView[]>('/cms/v1/tokens')).map(tokenFrom)
    },
    revokeToken: (id) =>
      unless('token_not_found', undefined, async () =>
        tokenFrom(await server.call<TokenView>(tokenPath(id), { method: 'DELETE' })),
      ),
    rotateToken: (id, options) =>
      unless('token_not_found', 'unknown', () =>
        unless('token_revoked', 'revoked', () => rotate(server, id, options, tokensOf)),
      ),
    createSandbox: (owner, facilities) => sandbox(owner, '', { json: { facilities } }),
    readSandbox: (owner) => sandbox(owner),
    resetSandbox: (owner) => sandbox(owner, '/reset', { method: 'POST' }),
    moveClock: (owner, change) => sandbox(owner, '/clock', { json: clockBody(change) }),
    removeSandbox: (owner) => sandbox(owner, '', { method: 'DELETE' }),
    exportEstate: async (format, write) => {
      const response = await server.open(`/cms/v1/export?format=${format}`)
      const decoder = new TextDecoder()
      for await (const chunk of server.read(response)) await write(decoder.decode(chunk, { stream: true }))
    },
  }
}

const partnerPath = (id: string) => `/cms/v1/partners/${encodeURIComponent(id)}`
const tokenPath = (id: string) => `/cms/v1/tokens/${encodeURIComponent(id)}`

type TokensOf = (partner: string) => Promise<Token[]>

/** If the server refuses with `code`, returns `value`, as the same operation on a database would. */
async function unless<T, U>(code: RefusalCode, value: U, work: () => Promise<T>): Promise<T | U> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === code) return value
    throw error
  }
}

async function describe(server: RemoteServer, id: string, tokensOf: TokensOf): Promise<PartnerDetails> {
  const partner: PartnerWithGrants = partnerFrom(await server.call<PartnerView>(partnerPath(id)))
  return { ...partner, tokens: await tokensOf(id) }
}

interface Issued {
  token: TokenView
  secret: string
}

async function create(server: RemoteServer, { partner, name, expiresAt, allowedRanges }: TokenDraft) {
  const json = { name, expires_at: expiresAt, allowed_ranges: allowedRanges }
  const { token, secret } = await server.call<Issued>(`${partnerPath(partner)}/tokens`, { json })
  return { token: tokenFrom(token), secret }
}

async function importToken(server: RemoteServer, draft: TokenImport): Promise<Token> {
  const { partner, name, expiresAt, allowedRanges, hash, rotateBy } = draft
  const json = { name, sha256: hash, expires_at: expiresAt, allowed_ranges: allowedRanges, rotate_by: rotateBy }
  return tokenFrom(await server.call<TokenView>(`${partnerPath(partner)}/tokens/import`, { json }))
}

async function rotate(server: RemoteServer, id: string, { graceSeconds, expiresAt }: RotationOptions, of: TokensOf) {
  const json = { grace_seconds: graceSeconds, ...(expiresAt !== undefined && { expires_at: expiresAt }) }
  const { token, secret } = await server.call<Issued>(`${tokenPath(id)}/rotate`, { json })
  const old = (await of(token.partner)).find((one) => one.id === id) as Token
  return { token: tokenFrom(token), secret, old }
}

function clockBody(change: ClockChange): object {
  return 'now' in change ? change : { advance: `PT${change.advanceMs / 1000}S` }
}
