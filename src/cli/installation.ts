import type { Config } from '../config.ts'
import type { Token } from '../domain/access/token.ts'
import { commandLine } from '../domain/audit/audit.ts'
import type { VisibleSandbox } from '../domain/sandbox.ts'
import type { ClockChange } from '../domain/sandbox-clock.ts'
import { nowIso } from '../domain/time.ts'
import { exportToFile } from '../estate/export.ts'
import * as tokens from '../operations/access/token.ts'
import { describePartner, findPartners, type PartnerDetails } from '../operations/cms/partner.ts'
import { createSandbox, removeSandbox } from '../operations/cms/sandbox.ts'
import { exportEstate } from '../operations/estate/export-estate.ts'
import { moveClock, readSandbox, resetSandbox } from '../operations/sandbox.ts'
import type { PartnerRow } from '../storage/cms/partner.ts'
import type { Db } from '../storage/database.ts'
import { withDatabase } from './with-database.ts'

export type PartnerSummary = Pick<PartnerRow, 'id' | 'name' | 'grants' | 'tokens'>

/** The operations of commands. They run on the database or, with --server, through the CMS API of a server. */
export interface Installation {
  findPartners(): Promise<PartnerSummary[]>
  describePartner(id: string): Promise<PartnerDetails | undefined>
  createToken(draft: tokens.TokenDraft): Promise<tokens.IssuedToken | undefined>
  importToken(draft: tokens.TokenImport): Promise<Token | undefined>
  findTokens(partner: string | undefined): Promise<Token[] | undefined>
  revokeToken(id: string): Promise<Token | undefined>
  rotateToken(id: string, options: tokens.RotationOptions): Promise<tokens.Rotation | 'unknown' | 'revoked'>
  createSandbox(owner: string, facilities: string[]): Promise<VisibleSandbox>
  readSandbox(owner: string): Promise<VisibleSandbox>
  resetSandbox(owner: string): Promise<VisibleSandbox>
  moveClock(owner: string, change: ClockChange): Promise<VisibleSandbox>
  removeSandbox(owner: string): Promise<VisibleSandbox>
  /** Calls `write` for each part of the estate file (facilities, partners), which can exceed memory. */
  exportEstate(format: 'yaml' | 'json', write: (text: string) => Promise<unknown>): Promise<void>
  /** The current time of the installation, in ISO 8601. With --server, it can differ from the clock of this machine. */
  now(): string
}

export async function withInstallation<T>(config: Config, work: (on: Installation) => Promise<T>): Promise<T> {
  if (config.remote === null) return withDatabase(config, (db) => work(installationOf(db, config)))
  const { connectTo } = await import('./remote/server.ts')
  const { remoteInstallation } = await import('./remote/installation.ts')
  return work(remoteInstallation(await connectTo(config.remote)))
}

export async function allPartners(db: Db): Promise<PartnerSummary[]> {
  return (await findPartners(db, { q: undefined, cursor: undefined, limit: 1_000_000 })).items
}

function installationOf(db: Db, { eventEndingSeconds }: Config): Installation {
  const caller = { actor: commandLine }
  return {
    findPartners: () => allPartners(db),
    describePartner: (id) => describePartner(db, id),
    createToken: (draft) => tokens.createToken(db, draft),
    importToken: (draft) => tokens.importToken(db, draft),
    findTokens: (partner) => tokens.findTokens(db, partner),
    revokeToken: (id) => tokens.revokeToken(db, id),
    rotateToken: (id, options) => tokens.rotateToken(db, id, options),
    createSandbox: (owner, facilities) => createSandbox(db, commandLine, owner, facilities),
    readSandbox: (owner) => readSandbox(db, { owner }),
    resetSandbox: (owner) => resetSandbox(db, caller, { owner }),
    moveClock: (owner, change) => moveClock(db, caller, { owner }, change, eventEndingSeconds),
    removeSandbox: (owner) => removeSandbox(db, commandLine, owner),
    exportEstate: async (format, write) => {
      const texts = await exportToFile(format, (receiver) => exportEstate(db, receiver))
      for await (const text of texts) await write(text)
    },
    now: nowIso,
  }
}
