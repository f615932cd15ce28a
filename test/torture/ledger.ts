export interface Service {
  id: string
  code: string
}

/** What a room holds, as far as clients write it. */
export interface RoomState {
  cycle: string | null
  services: Service[]
}

export type RoomWrite =
  | { kind: 'add'; key: string; codes: string[] }
  | { kind: 'delete'; id: string }
  | { kind: 'open'; key: string }
  | { kind: 'close' }

export const wrongs = ['lost', 'doubled', 'ghosts', 'refused'] as const

export type Wrong = (typeof wrongs)[number]

export const emptyRoom: RoomState = { cycle: null, services: [] }

/** Whether a room can look like this after the write. The service chooses the ids of additions and of a new cycle. */
export function follows(before: RoomState, write: RoomWrite, after: RoomState): boolean {
  if (write.kind === 'add') {
    const kept = after.services.slice(0, before.services.length)
    const added = after.services.slice(before.services.length).map(({ code }) => code)
    const isKept = isSame({ cycle: after.cycle, services: kept }, before)
    return isKept && added.join() === write.codes.join()
  }
  if (write.kind === 'delete') return isSame(after, without(before, write.id))
  if (after.services.length > 0) return false
  return write.kind === 'close' ? after.cycle === null : after.cycle !== null && after.cycle !== before.cycle
}

export function without({ cycle, services }: RoomState, id: string): RoomState {
  return { cycle, services: services.filter((service) => service.id !== id) }
}

export function isSame(a: RoomState, b: RoomState): boolean {
  return a.cycle === b.cycle && idsOf(a) === idsOf(b)
}

function idsOf({ services }: RoomState): string {
  return services.map(({ id, code }) => `${id} ${code}`).join()
}

/** Finds differences between a room and `expected`, except for a write without a response. */
export function wrongIn(expected: RoomState, found: RoomState, pending?: RoomWrite): Wrong {
  const codes = found.services.map(({ code }) => code)
  if (new Set(codes).size < codes.length) return 'doubled'
  const known = new Set([
    ...expected.services.map(({ code }) => code),
    ...(pending?.kind === 'add' ? pending.codes : []),
  ])
  return codes.some((code) => !known.has(code)) ? 'ghosts' : 'lost'
}

export function describeWrite(write: RoomWrite): string {
  if (write.kind === 'add') return `add ${write.codes.join(' ')} (key ${write.key})`
  if (write.kind === 'delete') return `delete ${write.id}`
  return write.kind === 'open' ? `open (key ${write.key})` : 'close'
}

export function describeRoom({ cycle, services }: RoomState): string {
  return `${cycle === null ? 'closed' : `open ${cycle}`}, holds [${services.map(({ code }) => code).join(' ')}]`
}
