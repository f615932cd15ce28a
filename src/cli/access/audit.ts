import type { Config, RemoteConfig } from '../../config.ts'
import { type AuditFault, maxAuditFaults } from '../../domain/audit/audit-faults.ts'
import { sealAll } from '../../operations/background/seal-audit.ts'
import { type Verification, verifyAudit } from '../../operations/background/verify-audit.ts'
import { plural, print, printJson } from '../output.ts'
import { progressBar } from '../progress.ts'
import { withDatabase } from '../with-database.ts'

export interface VerifyCommand {
  head?: string
  json?: boolean
}

export async function runAuditVerify(config: Config, { head, json }: VerifyCommand): Promise<number> {
  const progress = progressBar()
  const show = (part: number) => progress.show('Verifying', part)
  const { remote } = config
  const verify = () =>
    remote === null
      ? withDatabase(config, (db) => verifyAudit(db, { ...(head && { head }), progress: show }))
      : verifyRemotely(remote, head, show)
  const found = await verify().finally(progress.clear)
  const whole = found.faults.length === 0
  if (json) printJson({ whole, ...found })
  else print([...found.faults.map(faultLine), summary(found)].join('\n'))
  return whole ? 0 : 1
}

async function verifyRemotely(remote: RemoteConfig, head: string | undefined, onProgress: (part: number) => void) {
  const { connectTo } = await import('../remote/server.ts')
  const { readProgress } = await import('../remote/progress-lines.ts')
  const server = await connectTo(remote)
  const query = new URLSearchParams({ progress: 'true', ...(head && { head }) })
  const response = await server.open(`/cms/v1/audit/verify?${query}`, { method: 'POST' })
  const advice = 'run the command again'
  const { whole: _, ...found } = await readProgress<VerificationView>(server, response, { onProgress, advice })
  return found
}

type VerificationView = Verification & { whole: boolean }

const words = {
  seal: { changed: 'was changed', missing: 'is missing', added: 'was added' },
  entry: { changed: 'was changed', missing: 'is missing', added: 'was added later' },
}

export function faultLine({ of, seal, entry, fault }: AuditFault): string {
  if (of === 'head')
    return 'The given head is not in the chain: seals were removed or replaced after it was printed, or it is of a month that is now in an export.'
  if (of === 'root') return `The log begins after seal ${seal}, but no entry says that the months before were removed.`
  if (of === 'link') return `Seal ${seal} does not follow the seal before it.`
  if (of === 'seal') return `Seal ${seal} ${words.seal[fault]}.`
  const what = of === 'value' ? 'A value of entry' : 'Entry'
  return `${what} ${entry} ${words.entry[fault]} (seal ${seal}).`
}

function summary({ entries, seals, unsealed, root, head, faults }: Verification): string {
  const counted = `${plural(entries, 'entry', 'entries')} in ${plural(seals, 'seal')}, ${unsealed} not sealed yet`
  const last = `${root === null ? '' : `\nroot: ${root}`}${head === null ? '' : `\nhead: ${head}`}`
  if (faults.length === 0) return `whole: ${counted}${last}`
  const limit = faults.length >= maxAuditFaults ? ', and perhaps more' : ''
  return `not whole: ${plural(faults.length, 'fault')}${limit}; ${counted}`
}

export function runAuditSeal(config: Config, { json }: { json?: boolean }): Promise<number> {
  return withDatabase(config, async (db) => {
    const sealed = await sealAll(db)
    if (json) printJson(sealed)
    else {
      const { entries, seals, unsealed } = sealed
      print(`Sealed ${plural(entries, 'entry', 'entries')} in ${plural(seals, 'seal')}, ${unsealed} not sealed yet.`)
    }
    return 0
  })
}
