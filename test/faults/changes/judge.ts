import { isDeepStrictEqual } from 'node:util'
import type { AuditAction } from '../../../src/domain/audit/audit.ts'
import type { Random } from '../../torture/random.ts'
import { type State, stateOf, valuesIn, valuesMissing } from './state.ts'
import type { Json, World } from './world.ts'

/** One way to cause one action. */
export interface Case {
  name: string
  action: AuditAction
  /** Whether it can be undone. */
  undone: boolean
  /** Set where the state before is not in the entry: a restore has it in the backup that was taken. */
  tellsNothing?: boolean
  /** Creates what the change needs, and returns the change. */
  prepare(world: World, random: Random): Promise<() => Promise<unknown>>
}

const withinMs = 60_000

/** Checks the audit entries of a change and the effect of undoing it; returns undefined when both are right. */
export async function faultOf(world: World, one: Case, random: Random): Promise<string | undefined> {
  await clear(world)
  const change = await one.prepare(world, random)
  const before = await stateOf(world)
  const last = Math.max(0, ...(await newest(world)).map(({ seq }) => seq))
  await change()
  const entries = await entriesSince(world, last, one.action)
  if (entries === undefined) return 'it left no entry'
  const after = await stateOf(world)
  const entry = entries.find(({ action }) => action === one.action)
  return (
    (one.tellsNothing ? undefined : unrecorded(world, entries, before, after)) ??
    (one.undone ? await faultOfUndo(world, entry, before) : await faultOfRefusal(world, entry, after))
  )
}

/** Removes what earlier changes left, so that comparing states takes no longer each time. */
async function clear({ done, admin }: World): Promise<void> {
  const { facilities, partners } = await done('GET /cms/v1/export?format=json')
  for (const { id } of partners) if (id !== 'p') await done(`DELETE /cms/v1/partners/${id}`)
  for (const { id_external: id } of facilities) {
    if (!['f', 'g'].includes(id)) await done(`DELETE /cms/v1/facilities/${id}`)
  }
  for (const { id } of await done('GET /cms/v1/operators')) {
    if (id !== admin.id) await done(`DELETE /cms/v1/operators/${id}`)
  }
}

async function newest({ done }: World): Promise<Json[]> {
  return done('GET /cms/v1/audit?limit=50')
}

/** Loads whole entries, the oldest first, once the expected one is among them; background jobs write some of them. */
async function entriesSince(world: World, last: number, action: AuditAction): Promise<Json[] | undefined> {
  for (const untilMs = Date.now() + withinMs; Date.now() < untilMs; ) {
    const found = (await newest(world)).filter(({ seq }) => seq > last)
    if (found.some((one) => one.action === action)) {
      return Promise.all(found.map(({ seq }) => world.done(`GET /cms/v1/audit/${seq}`)))
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}

/** Finds parts of the states that are in no entry, or that the console does not show. */
function unrecorded(world: World, entries: Json[], before: State, after: State): string | undefined {
  const shown = entries.map((entry) => ({ ...entry, detail: world.shown(entry) }))
  const lists = entries.flatMap(({ detail }) => [detail, ...(detail.changes ?? []).map(({ list }: Json) => list)])
  // Of a long replaced list the log has the state before; the state after is the list itself.
  const isWhole = lists.every((list) => list?.complete !== false)
  const [gone, come] = [valuesMissing(before, after), valuesMissing(after, before)]
  const fault = firstUnrecorded(entries, gone, isWhole ? come : [])
  if (fault !== undefined) return `the entry does not have ${fault}`
  const unseen = firstUnrecorded(shown, gone, isWhole ? come : [])
  return unseen && `the console does not show ${unseen}`
}

/** Finds values that disappeared without being in a "before", or appeared without being in an "after". */
function firstUnrecorded(entries: Json[], gone: string[], come: string[]): string | undefined {
  const valuesOf = (side: 'before' | 'after') =>
    new Set(
      entries.flatMap(({ facility, partner, subject, detail }) =>
        valuesIn([facility, partner, subject, sideOf(detail, side)]),
      ),
    )
  const [before, after] = [valuesOf('before'), valuesOf('after')]
  const old = gone.find((value) => !before.has(value))
  if (old !== undefined) return `${shortly(old)}, which was there before`
  const now = come.find((value) => !after.has(value))
  return now && `${shortly(now)}, which is there afterwards`
}

/** Returns what a detail says of one side of the change; members outside both sides belong to both. */
function sideOf(detail: Json, side: 'before' | 'after'): unknown[] {
  const other = side === 'before' ? 'after' : 'before'
  const { changes = [], area_changes: areas = [], added, removed, renamed, [other]: _other, ...rest } = detail
  return [
    ...listSide({ added, removed, renamed }, side),
    ...changes.flatMap(({ list = {}, ...change }: Json) => [change[side], ...listSide(list, side)]),
    ...areas.flatMap((area: Json) => (area[side] === null ? [] : [area.id, area[side]])),
    rest,
  ]
}

function listSide({ added = [], removed = [], renamed = [] }: Json, side: 'before' | 'after'): unknown[] {
  if (side === 'after') return [added, renamed.map((one: Json) => one.new)]
  return [removed, renamed.map((one: Json) => one.old)]
}

async function faultOfUndo(
  world: World,
  { seq, undo_refused: refused }: Json,
  before: State,
): Promise<string | undefined> {
  if (refused !== null) return `it is said that it cannot be undone: ${refused}`
  const { status, body } = await world.ask(`POST /cms/v1/audit/${seq}/undo`)
  if (status !== 200) return `undoing it returned ${status} ${JSON.stringify(body)}`
  return differenceOf(before, await stateOf(world), 'after undoing it')
}

async function faultOfRefusal(world: World, { seq, ...entry }: Json, after: State): Promise<string | undefined> {
  if (entry.can_undo || !entry.undo_refused) return 'it is not said why it cannot be undone'
  const { body } = await world.ask(`POST /cms/v1/audit/${seq}/undo`)
  if (body?.code !== 'undo_impossible') return `undoing it returned ${JSON.stringify(body)}`
  return differenceOf(after, await stateOf(world), 'after it was refused to undo it')
}

function differenceOf(expected: State, found: State, when: string): string | undefined {
  if (isDeepStrictEqual(expected, found)) return undefined
  const [gone] = valuesMissing(expected, found)
  const [added] = valuesMissing(found, expected)
  return `${when} ${gone === undefined ? 'the order differs' : `${shortly(gone)} is missing`}${added === undefined ? '' : `, ${shortly(added)} is there`}`
}

function shortly(json: string): string {
  return json.length > 80 ? `${json.slice(0, 80)}…` : json
}
