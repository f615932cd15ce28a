import { subscriptionsIn } from '../../../src/domain/room/stored-room.ts'
import type { Db } from '../../../src/storage/database.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Change, Writer } from './writer.ts'

/** The number of changes of a writer when the backup began, and when it ended. */
export interface Bounds {
  writer: Writer
  acknowledgedBefore: number
  sentAfter: number
}

interface Restored {
  changes: Change[]
  name: string
  codes: string[]
  /** Finds the codes in the JSON of the room, as the API returns it. */
  codesInText: string[]
}

/** Checks a restored database: it must hold a state of each writer between the begin and the end of the backup. */
export async function checkRestored(db: Db, bounds: Bounds[]): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const one of bounds) {
    const restored = await read(db, one.writer)
    const what = fault(restored, one)
    if (what !== undefined)
      violations.push({ what: `${one.writer.facility}: ${what}`, history: historyOf(restored, one) })
  }
  return violations
}

function fault({ changes, name, codes, codesInText }: Restored, bounds: Bounds): string | undefined {
  const { writer, acknowledgedBefore, sentAfter } = bounds
  const isPrefix = changes.every(({ action, value }, at) => {
    const sent = writer.sent[at]
    return sent?.action === action && sent.value === value
  })
  if (!isPrefix) return 'the log is not what was sent, in that order'
  if (changes.length < acknowledgedBefore) return 'a change is missing that was acknowledged before the backup began'
  if (changes.length > sentAfter) return 'a change is there that was sent after the backup had ended'
  const expected = replay(changes)
  if (name !== expected.name) return `the name is ${name}, but the log ends at ${expected.name}`
  if (codes.join() !== expected.codes.join()) return `the room has [${codes}], but the log ends at [${expected.codes}]`
  if (codesInText.join() !== codes.join()) return `the response lists [${codesInText}], the room has [${codes}]`
  return undefined
}

function replay(changes: Change[]): { name: string; codes: string[] } {
  let name = 'new'
  let codes: string[] = []
  for (const { action, value } of changes) {
    if (action === 'facility.change') name = value
    else if (action === 'room.open') codes = []
    else if (action === 'services.add') codes = [...codes, value]
    else codes = codes.filter((code) => code !== value)
  }
  return { name, codes }
}

function read(db: Db, { facility, room }: Writer): Promise<Restored> {
  return db.read(async ({ query }) => {
    const entries = query.selectFrom('audit_entry').where('facility', '=', facility).where('actor_kind', '=', 'partner')
    const rows = await entries.select(['action', 'detail']).orderBy('seq').execute()
    const { name } = await query
      .selectFrom('facility')
      .where('id_external', '=', facility)
      .select('name')
      .executeTakeFirstOrThrow()
    const { json, services_lengths: lengths } = await query
      .selectFrom('area')
      .where('id_external', '=', room)
      .select(['json', 'services_lengths'])
      .executeTakeFirstOrThrow()
    const inText: { code: string }[] = JSON.parse(json).data_services
    return {
      changes: rows.map(({ action, detail }) => ({ action, value: valueIn(JSON.parse(detail)) })),
      name,
      codes: subscriptionsIn(json, lengths).map((text) => JSON.parse(text).code),
      codesInText: inText.map(({ code }) => code),
    }
  })
}

function valueIn(detail: { after?: string; added?: { code: string }[]; deleted?: { code: string } }): string {
  return detail.after ?? detail.added?.[0]?.code ?? detail.deleted?.code ?? ''
}

function historyOf({ changes, name, codes }: Restored, { writer, acknowledgedBefore, sentAfter }: Bounds): string[] {
  const from = Math.max(0, Math.min(changes.length, acknowledgedBefore) - 3)
  const line = ({ action, value }: Change, at: number) => `${from + at + 1}. ${action} ${value}`
  return [
    `${acknowledgedBefore} changes were acknowledged when the backup began, ${sentAfter} sent when it ended; of these:`,
    ...writer.sent.slice(from, changes.length + 3).map(line),
    `restored: ${changes.length} changes in the log, the name ${name}, in the room [${codes}]`,
  ]
}
