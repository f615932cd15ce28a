import { isObject } from '../json.ts'
import { type Fault, type Refusal, refusalAt, refusalFor } from '../refusal.ts'
import { draftOne } from './subscription.ts'
import type { ChangeRules, WantedSubscription } from './subscription-change.ts'

/** Items with an id are in the room already, the others are new. `pointer` is where the list is in the body. */
export function wantedSubscriptions(items: unknown, rules: ChangeRules, pointer: string): WantedSubscription[] {
  if (!Array.isArray(items)) throw refusalAt('body_invalid', pointer, `"${pointer.slice(1)}" must be an array.`)
  const { roomSubscriptions } = rules.limits
  if (items.length > roomSubscriptions) throw tooMany(pointer, roomSubscriptions)
  const faults: Fault[] = []
  const ids = new Set<unknown>()
  const wanted = items.map((item, index) => wantedOne(item, `${pointer}/${index}`, rules, { faults, ids }))
  if (faults.length > 0) throw refusalFor('item_invalid', 'Nothing was changed.', faults)
  return wanted
}

function tooMany(pointer: string, max: number): Refusal {
  return refusalAt('limit_exceeded', pointer, `A room can hold ${max} subscriptions.`)
}

function wantedOne(
  item: unknown,
  pointer: string,
  rules: ChangeRules,
  { faults, ids }: { faults: Fault[]; ids: Set<unknown> },
): WantedSubscription {
  if (!isObject(item)) throw refusalAt('item_not_object', pointer, 'Each item must be a JSON object.')
  const { id = null, ...sent } = item
  if (id !== null && typeof id !== 'string') faults.push({ pointer: `${pointer}/id`, detail: '"id" must be a string.' })
  if (id !== null && ids.has(id)) faults.push({ pointer: `${pointer}/id`, detail: 'This "id" is repeated.' })
  ids.add(id)
  return { id: id as string | null, draft: draftOne(sent, pointer, { ...rules, contract: null }, faults), sent }
}

/** `ofForms` has the faults of each form that a subscription can be sent in: one form without faults is enough. */
export function firstFaults(ofForms: Fault[][]): Fault[] {
  return ofForms.find(({ length }) => length === 0) ?? ofForms.at(-1) ?? []
}
