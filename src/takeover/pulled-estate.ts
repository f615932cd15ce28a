import type { EstateItem } from '../domain/estate.ts'
import type { Notes } from './notes.ts'
import { withoutFacilities } from './partners.ts'
import type { PullState } from './pull-state.ts'

/** Yields what was read, and adds a note for everything that the estate file will lack. */
export function* pulledEstate(state: PullState, timezone: string | undefined, notes: Notes): Generator<EstateItem> {
  const holders = new Map<number, string>()
  const present = new Set<string>()
  const order = state.plan?.partners ?? []
  for (const { facility, id, notes: own } of state.facilities()) {
    notes.merge(own)
    if (facility === null) continue
    present.add(id)
    const { id: number, ...rest } = facility
    const holder = number === undefined ? undefined : holders.get(number)
    if (number !== undefined && holder === undefined) holders.set(number, id)
    if (holder !== undefined) notes.add(`the numeric id of facilities that share one: a new one is assigned`, id)
    yield { kind: 'facility', facility: { ...(holder === undefined ? facility : rest), ...(timezone && { timezone }) } }
  }
  for (const partner of order) {
    yield { kind: 'partner', partner: withoutFacilities(partner, (id) => !present.has(id)) }
  }
  notes.merge(state.plan?.notes ?? [])
  addWhatNoTokenSees(state, timezone, notes)
}

/** Adds notes about what `/v1` never shows, whatever a token is granted. */
function addWhatNoTokenSees({ plan }: PullState, timezone: string | undefined, notes: Notes): void {
  const add = (what: string, count: number) => {
    if (count > 0) notes.merge([{ what: `never shown by /v1: ${what}`, count, places: [] }])
  }
  const facilities = plan?.facilities.length ?? 0
  if (timezone === undefined) add('the time zone of facilities: UTC, unless you set --timezone', facilities)
  add('whether a facility has room services: "room_services" is true where some were seen', facilities)
  add('rate limits and webhooks of partners', plan?.partners.length ?? 0)
}
