import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../src/storage/database.ts'
import { allSettled } from '../../harness/settled.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Random } from '../../torture/random.ts'

const columns = [
  'at',
  'actor_kind',
  'actor',
  'token',
  'request_id',
  'address',
  'action',
  'facility',
  'subject',
  'detail',
]

export interface Tried {
  tampered: number
  found: number
  violations: Violation[]
}

/**
 * Seals and verifies with the build's own code, then verifies again after each manipulation, which is then reverted.
 */
export async function tamper(build: string, url: string, random: Random): Promise<Tried> {
  const tried: Tried = { tampered: 0, found: 0, violations: [] }
  const { openDatabase, sealAll, verifyAudit } = await partsOf(build)
  const db = openDatabase(url)
  try {
    await allSettled(db)
    const { unsealed } = await sealAll(db)
    const whole = await verifyAudit(db)
    if (unsealed > 0 || whole.unsealed > 0 || whole.faults.length > 0) {
      const history = [`${unsealed} not sealed`, ...whole.faults.map((fault) => JSON.stringify(fault))]
      return {
        ...tried,
        violations: [{ what: 'an unmodified log is reported as modified', history: history.slice(0, 10) }],
      }
    }
    for (const what of tricks(random, whole.entries)) {
      tried.tampered++
      if (await isFound(db, what, async () => (await verifyAudit(db)).faults.length > 0)) tried.found++
      else tried.violations.push({ what: 'a change of the log was not found', history: [what] })
    }
    return tried
  } finally {
    await db.close()
  }
}

async function partsOf(build: string) {
  const load = (file: string) => import(join(build, 'src', file))
  const { openDatabase } = (await load('storage/database.ts')) as typeof import('../../../src/storage/database.ts')
  const seal = (await load(
    'operations/background/seal-audit.ts',
  )) as typeof import('../../../src/operations/background/seal-audit.ts')
  const verify = (await load(
    'operations/background/verify-audit.ts',
  )) as typeof import('../../../src/operations/background/verify-audit.ts')
  return { openDatabase, sealAll: seal.sealAll, verifyAudit: verify.verifyAudit }
}

/**
 * The manipulations: a changed byte in each column of some entry, a missing entry, an inserted one, and two swapped
 * ones.
 */
function tricks(random: Random, entries: number): string[] {
  const nth = () => `(select seq from audit_entry order by seq limit 1 offset ${random.below(entries)})`
  const others = 'at, actor_kind, actor, token, request_id, address, action, facility, partner, subject, detail'
  return [
    ...columns.map(
      (column) => `update audit_entry set ${column} = coalesce(${column}, '') || '.' where seq = ${nth()}`,
    ),
    `delete from audit_entry where seq = ${nth()}`,
    `insert into audit_entry (seq, ${others}) select 0, ${others} from audit_entry where seq = ${nth()}`,
    `update audit_entry set seq = -seq where seq = ${nth()}`,
  ]
}

/** Copies the log into a table, from which it is restored. */
async function isFound(db: Db, trick: string, isSeen: () => Promise<boolean>): Promise<boolean> {
  const run = async (...statements: string[]) =>
    db.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx.query)
    })
  await run('create table kept_entry as select * from audit_entry', trick)
  const seen = await isSeen()
  await run('delete from audit_entry', 'insert into audit_entry select * from kept_entry', 'drop table kept_entry')
  return seen
}
