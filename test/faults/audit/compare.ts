import type { StoredEntry } from '../../../src/domain/audit/audit-seal.ts'
import { withDb } from '../../harness/with-db.ts'
import type { Violation } from '../../torture/harness.ts'
import type { Load, Operation } from './load.ts'

/** Compares the audit entries with the changes: those that were acknowledged, and the final state. */
export async function differences(url: string, load: Load): Promise<{ entries: number; violations: Violation[] }> {
  const entries = await withDb(url, (db) =>
    db.read((tx) => tx.query.selectFrom('audit_entry').selectAll().orderBy('seq').execute()),
  )
  const ours = entries.filter(({ request_id }) => request_id?.startsWith('op-'))
  const violations = [...unmatched(load.done, ours), ...roomsThatDiffer(load, ours), ...namesThatDiffer(load, ours)]
  return { entries: ours.length, violations: violations.slice(0, 5) }
}

function unmatched(done: Operation[], entries: StoredEntry[]): Violation[] {
  const byId = Map.groupBy(entries, ({ request_id }) => request_id)
  return done.flatMap(({ id, action, request, acknowledged }) => {
    const found = byId.get(id) ?? []
    const history = [`${id}: ${request}, ${acknowledged ? 'acknowledged' : 'unanswered'}`, ...found.map(describeEntry)]
    if (found.length > 1) return [{ what: 'one change has several entries', history }]
    if (acknowledged && found.length === 0) return [{ what: 'an acknowledged change has no entry', history }]
    if (found.some((entry) => entry.action !== action)) return [{ what: 'an entry names another change', history }]
    return []
  })
}

/** Replays the entries into the state that a room must then have. */
function roomsThatDiffer({ rooms }: Load, entries: StoredEntry[]): Violation[] {
  return rooms.flatMap(({ id_external, cycle, data_services }) => {
    const own = entries.filter(({ subject }) => subject === id_external)
    let written: { cycle: string | null; ids: string[] } = { cycle: null, ids: [] }
    for (const { action, detail } of own) written = after(written, action, JSON.parse(detail))
    const found = { cycle, ids: data_services.map(({ id }) => id) }
    if (JSON.stringify(found) === JSON.stringify(written)) return []
    const history = [...own.slice(-6).map(describeEntry), `the room: ${JSON.stringify(found)}`]
    return [{ what: `the entries do not lead to what is in room ${id_external}`, history }]
  })
}

// biome-ignore lint/suspicious/noExplicitAny: each action has a detail of its own shape
function after(room: { cycle: string | null; ids: string[] }, action: string, detail: any): typeof room {
  if (action === 'room.open') return { cycle: detail.cycle, ids: [] }
  if (action === 'room.close') return { cycle: null, ids: [] }
  if (action === 'services.delete') return { ...room, ids: room.ids.filter((id) => id !== detail.deleted.id) }
  return { ...room, ids: [...room.ids, ...detail.added.map(({ id }: { id: string }) => id)] }
}

function namesThatDiffer({ facilityName }: Load, entries: StoredEntry[]): Violation[] {
  const changes = entries.filter(({ action }) => action === 'facility.change')
  const steps = changes.map(({ detail }) => JSON.parse(detail) as { before: string; after: string })
  const gap = steps.findIndex((step, at) => step.after !== (steps[at + 1]?.before ?? facilityName))
  if (gap === -1) return []
  const history = [...changes.slice(gap, gap + 2).map(describeEntry), `the facility: ${facilityName}`]
  return [{ what: 'the entries do not lead to the name of the facility', history }]
}

function describeEntry({ seq, request_id, action, detail }: StoredEntry): string {
  return `entry ${seq} of ${request_id}: ${action} ${detail.slice(0, 200)}`
}
