import type { CheckLimits } from '../estate/check-facility.ts'
import { convertFacility } from './convert-facility.ts'
import { convertRooms, type RoomRules } from './convert-rooms.ts'
import { Notes } from './notes.ts'
import { readPartner } from './partners.ts'
import type { PullPlan, PullState } from './pull-state.ts'
import type { Remote } from './remote.ts'
import { RemoteFailure } from './remote-failure.ts'
import { listFacilities, readFacility } from './seen-facility.ts'

interface PullObserver {
  done(facilities: number, total: number): void
  failed(facility: string, why: string): void
}

/** After this many failures in a row to read a facility, the installation counts as unavailable and reading ends. */
const maxFailuresInRow = 3

/** Returns the facilities that could not be read. With `roomRules`, also reads open rooms and their services. */
export async function pull(
  remotes: Remote[],
  state: PullState,
  limits: CheckLimits,
  roomRules: RoomRules | undefined,
  observer: PullObserver,
): Promise<string[]> {
  if (state.plan === undefined) state.setPlan(await makePlan(remotes, limits))
  const { facilities } = state.plan as PullPlan
  const failed: string[] = []
  let failuresInRow = 0
  for (const { id, summary, tokens } of facilities) {
    if (state.done.has(id)) continue
    try {
      const readers = tokens.map((token) => remotes[token] as Remote)
      const seen = await readFacility(id, summary, readers)
      const notes = new Notes()
      const facility = convertFacility(seen, limits, notes) ?? null
      const rooms = roomRules && [...convertRooms(seen, roomRules, notes)]
      state.add({ id, facility, ...(rooms && { rooms }), notes: notes.list() })
      failuresInRow = 0
    } catch (error) {
      if (!(error instanceof RemoteFailure) || ++failuresInRow === maxFailuresInRow) throw error
      failed.push(id)
      observer.failed(id, error.message)
    }
    observer.done(state.done.size, facilities.length)
  }
  return failed
}

async function makePlan(remotes: Remote[], limits: CheckLimits): Promise<PullPlan> {
  const notes = new Notes()
  const facilities = new Map<string, PullPlan['facilities'][number]>()
  const partners = new Map<string, PullPlan['partners'][number]>()
  for (const [token, remote] of remotes.entries()) {
    for (const summary of await listFacilities(remote)) {
      const { id_external: id } = summary
      if (typeof id !== 'string' || id === '') {
        notes.add('facilities without an id_external', remote.name)
        continue
      }
      const known = facilities.get(id)
      if (known === undefined) facilities.set(id, { id, summary, tokens: [token] })
      else if (!known.tokens.includes(token)) known.tokens.push(token)
    }
    const partner = await readPartner(remote, limits, notes)
    if (partner !== undefined) partners.set(partner.id, partner)
  }
  return { facilities: [...facilities.values()], partners: [...partners.values()], notes: notes.list() }
}
