export interface Service {
  id: string
  code: string
  label: string | null
}

/** What a room holds, as far as clients write it. */
export interface RoomState {
  cycle: string | null
  services: Service[]
}

export type RoomWrite =
  | { kind: 'add'; key: string; codes: string[] }
  | { kind: 'delete'; id: string }
  /** Changes one service (PATCH), which takes no key: a repetition changes nothing more. */
  | { kind: 'change'; id: string; label: string }
  /** Keeps these services, as they are given here, and adds others (PUT). */
  | { kind: 'replace'; key: string; kept: Service[]; codes: string[] }
  | { kind: 'open'; key: string }
  | { kind: 'close' }

export const wrongs = ['lost', 'doubled', 'ghosts', 'refused'] as const

export type Wrong = (typeof wrongs)[number]

export const emptyRoom: RoomState = { cycle: null, services: [] }

/** Whether a room can look like this after the write. The service chooses the ids of additions and of a new cycle. */
export function follows(before: RoomState, write: RoomWrite, after: RoomState): boolean {
  if (write.kind === 'add') return isExtended(before, write.codes, after)
  if (write.kind === 'replace') {
    const kept = before.services.flatMap(({ id }) => write.kept.find((one) => one.id === id) ?? [])
    return isExtended({ cycle: before.cycle, services: kept }, write.codes, after)
  }
  if (write.kind === 'change') return isSame(after, withLabel(before, write))
  if (write.kind === 'delete') return isSame(after, without(before, write.id))
  if (after.services.length > 0) return false
  return write.kind === 'close' ? after.cycle === null : after.cycle !== null && after.cycle !== before.cycle
}

/** Whether services with these codes were added to a room, and nothing else has changed. */
function isExtended(before: RoomState, codes: string[], after: RoomState): boolean {
  const kept = after.services.slice(0, before.services.length)
  const added = after.services.slice(before.services.length).map(({ code }) => code)
  return isSame({ cycle: after.cycle, services: kept }, before) && added.join() === codes.join()
}

function withLabel({ cycle, services }: RoomState, { id, label }: { id: string; label: string }): RoomState {
  return { cycle, services: services.map((service) => (service.id === id ? { ...service, label } : service)) }
}

export function without({ cycle, services }: RoomState, id: string): RoomState {
  return { cycle, services: services.filter((service) => service.id !== id) }
}

export function isSame(a: RoomState, b: RoomState): boolean {
  return a.cycle === b.cycle && idsOf(a) === idsOf(b)
}

function idsOf({ services }: RoomState): string {
  return services.map((service) => `${service.id} ${named(service)}`).join()
}

/** Finds differences between a room and `expected`, except for a write without a response. */
export function wrongIn(expected: RoomState, found: RoomState, pending?: RoomWrite): Wrong {
  const codes = found.services.map(({ code }) => code)
  if (new Set(codes).size < codes.length) return 'doubled'
  const known = new Set([
    ...expected.services.map(({ code }) => code),
    ...(pending !== undefined && 'codes' in pending ? pending.codes : []),
  ])
  return codes.some((code) => !known.has(code)) ? 'ghosts' : 'lost'
}

export function describeWrite(write: RoomWrite): string {
  if (write.kind === 'add') return `add ${write.codes.join(' ')} (key ${write.key})`
  if (write.kind === 'delete') return `delete ${write.id}`
  if (write.kind === 'change') return `change ${write.id} to ${write.label}`
  if (write.kind === 'replace') {
    return `replace by ${write.kept.map(named).join(' ')} and new ${write.codes.join(' ')} (key ${write.key})`
  }
  return write.kind === 'open' ? `open (key ${write.key})` : 'close'
}

export function describeRoom({ cycle, services }: RoomState): string {
  return `${cycle === null ? 'closed' : `open ${cycle}`}, holds [${services.map(named).join(' ')}]`
}

function named({ code, label }: Service): string {
  return label === null ? code : `${code}=${label}`
}
