import type { Actor, AuditAction } from '../domain/audit/audit.ts'
import { changesBetween, type ValueChange } from '../domain/audit/audit-detail.ts'
import { entriesBefore, entriesOf, listChanges, listEtag } from '../domain/autocomplete-list.ts'
import { bytesOf } from '../domain/bytes.ts'
import { type FacilityProperty, facilityProperties } from '../domain/facility.ts'
import { Refusal } from '../domain/refusal.ts'
import { roomJson } from '../domain/room/stored-room.ts'
import type { Sandbox, SandboxFacility } from '../domain/sandbox.ts'
import { aheadAfterChange, type ClockChange } from '../domain/sandbox-clock.ts'
import { nowIso } from '../domain/time.ts'
import { bumpPartner } from '../storage/access/access.ts'
import { updateRoom } from '../storage/area.ts'
import { recordAudit, recordAudits } from '../storage/audit/audit.ts'
import { loadStoredList, replaceList } from '../storage/autocomplete-list.ts'
import type { Db } from '../storage/database.ts'
import type { Tx } from '../storage/engine.ts'
import { lockWithCounts, updateProperty } from '../storage/facility.ts'
import { endKeys } from '../storage/idempotency.ts'
import { findSandbox, lockRooms, type SandboxRef, updateSandbox, usedRooms } from '../storage/sandbox.ts'
import { dueServices, passSandboxMoments } from '../storage/service-moment.ts'
import type { Caller } from './access/authenticate.ts'
import { reauthenticate } from './access/lookup.ts'

/** The caller of a change: a partner in its own sandbox, or an operator. */
type SandboxCaller = Caller | { actor: Actor }

export function readSandbox(db: Db, which: SandboxRef): Promise<Sandbox> {
  return db.read((tx) => requireSandbox(tx, which))
}

async function requireSandbox(tx: Tx, which: SandboxRef, options: { lock?: boolean } = {}): Promise<Sandbox> {
  const sandbox = await findSandbox(tx, which, options)
  if (sandbox === undefined) throw new Refusal('sandbox_not_found', 'This partner has no sandbox.')
  return sandbox
}

/** Changes a sandbox. Changes of its rooms, and the background job for service events, wait for the transaction. */
function changeSandbox(
  db: Db,
  caller: SandboxCaller,
  which: SandboxRef,
  change: (tx: Tx, sandbox: Sandbox) => Promise<Sandbox>,
): Promise<Sandbox> {
  return db.write(async (tx) => {
    await tx.lock(dueServices)
    const sandbox = await requireSandbox(tx, which, { lock: true })
    // Invalidates the cached partner, which has the sandbox's clock: another change may have moved it during the wait
    // for the lock.
    db.cache.invalidatePartner(sandbox.id)
    if ('partner' in caller) await reauthenticate(tx, db.cache, caller)
    await lockRooms(tx, sandbox.id)
    return change(tx, sandbox)
  })
}

/** Moves a sandbox's clock forward, and records in their order the service events that are due by the new time. */
export function moveClock(
  db: Db,
  caller: SandboxCaller,
  which: SandboxRef,
  order: ClockChange,
  endingSeconds: number,
): Promise<Sandbox> {
  return changeSandbox(db, caller, which, async (tx, sandbox) => {
    const setTo = 'now' in order ? order.now : null
    if (setTo !== null && setTo === sandbox.setTo) return sandbox
    const realMs = Date.now()
    const aheadMs = aheadAfterChange(order, sandbox.aheadMs, realMs)
    const moved = { ...sandbox, aheadMs, setTo }
    updateSandbox(tx, moved)
    const at = new Date(realMs).toISOString()
    await passSandboxMoments(tx, sandbox.id, { endingSeconds, fromMs: sandbox.aheadMs, aheadMs }, at)
    record(tx, caller.actor, 'sandbox.clock', moved, { changes: clockChanges(sandbox, moved) })
    return moved
  })
}

/** Resets the facilities and rooms of a sandbox to their initial state, and sets its clock to real time. */
export function resetSandbox(db: Db, caller: SandboxCaller, which: SandboxRef): Promise<Sandbox> {
  return changeSandbox(db, caller, which, async (tx, sandbox) => {
    const now = nowIso()
    for (const facility of sandbox.facilities) await putBack(tx, caller.actor, facility, now)
    const rooms = await closeRooms(tx, caller.actor, sandbox, now)
    const facilities = sandbox.facilities.map((facility) => ({ ...facility, name: facility.start.name }))
    const reset = { ...sandbox, facilities, aheadMs: 0, setTo: null, lastReset: now }
    updateSandbox(tx, reset)
    record(tx, caller.actor, 'sandbox.reset', reset, { rooms, changes: clockChanges(sandbox, reset) })
    return reset
  })
}

function clockChanges(before: Sandbox, after: Sandbox): ValueChange[] {
  return changesBetween({ clock_ahead_ms: before.aheadMs }, { clock_ahead_ms: after.aheadMs })
}

function record(tx: Tx, actor: Actor, action: AuditAction, { id, owner }: Sandbox, detail: object): void {
  bumpPartner(tx, id)
  recordAudit(tx, { actor, action, partner: id, subject: owner, detail })
}

async function putBack(tx: Tx, actor: Actor, { id, idExternal, start }: SandboxFacility, now: string): Promise<void> {
  const changes: ValueChange[] = []
  const present = (await lockWithCounts(tx, idExternal))?.facility
  for (const property of Object.keys(facilityProperties) as FacilityProperty[]) {
    const before = present?.[facilityProperties[property]] ?? null
    if (before === start[property]) continue
    updateProperty(tx, id, property, start[property], now)
    changes.push({ key: property, before, after: start[property] })
  }
  const entries = bytesOf(start.entries)
  const { stored } = await loadStoredList(tx.rows, id)
  const list = listChanges(stored, entries)
  if (list !== undefined) {
    replaceList(tx, id, { stored: entries, count: entriesOf(idExternal, entries).length })
    const before = entriesBefore(stored, list)
    changes.push({ key: 'areas_autocomplete_list', list, before, after_tag: listEtag(entries) })
  }
  if (changes.length === 0) return
  await recordAudits(tx, [{ at: now, actor, action: 'facility.update', facility: idExternal, detail: { changes } }])
}

/** Closes and empties the rooms of a sandbox that are in use. Returns how many these are. */
async function closeRooms(tx: Tx, actor: Actor, { id, facilities }: Sandbox, now: string): Promise<number> {
  const names = new Map(facilities.map((facility) => [facility.id, facility.idExternal]))
  const rooms = await usedRooms(tx, id)
  for (const room of rooms) {
    endKeys(tx, room)
    const closed = { ...room, cycle: null, openedAt: null, dateUpdated: now, nextDueAt: null }
    updateRoom(tx, room, { room: closed, subscriptions: [] }, roomJson(closed, []))
    const about = { facility: names.get(room.facilityId) ?? null, subject: room.idExternal }
    const changes = [{ key: 'cycle', before: room.cycle, after: null }]
    recordAudit(tx, { at: now, actor, action: 'room.close', ...about, detail: { cycle: room.cycle, changes } })
  }
  return rooms.length
}
