import type { Config } from '../../config.ts'
import { hashIn } from '../../domain/access/token.ts'
import { Refusal } from '../../domain/refusal.ts'
import { nowIso } from '../../domain/time.ts'
import { Failure } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import { minute, print, printJson } from '../output.ts'
import { firstLine } from '../standard-input.ts'
import { parseExpiry, parseFuture } from './expiry.ts'
import { unknownPartner } from './partner.ts'
import { type CreateOptions, parseName, parseRanges } from './token.ts'
import { tokenView } from './token-view.ts'

export async function runTokenImport(
  config: Config,
  partner: string,
  options: CreateOptions & { rotateBy: string },
): Promise<number> {
  const draft = {
    partner,
    name: parseName(options.name),
    expiresAt: parseExpiry(options.expires),
    allowedRanges: parseRanges(options.allow),
    rotateBy: parseFuture(options.rotateBy, Date.now(), '--rotate-by'),
  }
  const hash = hashIn(await firstLine(process.stdin))
  if (hash === undefined) {
    throw new Failure(
      'standard input must hold a SHA-256, 64 hexadecimal digits: pipe `printf %s "$TOKEN" | sha256sum` into this command',
    )
  }
  return withInstallation(config, async (on) => {
    const token = await on.importToken({ ...draft, hash }).catch(asFailure)
    if (token === undefined) throw await unknownPartner(on, partner)
    if (options.json) printJson(tokenView(token, nowIso()))
    else print(`Imported as token ${token.id} (${token.name}) of ${partner}; rotate it by ${minute(draft.rotateBy)}.`)
    return 0
  })
}

function asFailure(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'token_exists') throw error
  throw new Failure(`${error.message} Revoked tokens count as well.`)
}
