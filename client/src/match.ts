import type { Subscription, WantedSubscription } from './schema.ts'

export interface MatchOptions {
  /** Which services of the room stay as they are; by default none. Without it, those of other partners are removed. */
  keep?: (service: Subscription) => boolean
}

/** How to bring a room from the services that it has to those that it is to have. */
export interface ServiceMatch {
  /** What to send to `services.replace` or in an operation `replace_services`. */
  services: WantedSubscription[]
  /** Whether sending them would change the room. True also if only the service can tell, from a time without offset. */
  isChange: boolean
}

/**
 * Matches the services that a room is to have with those that it has, by their codes, each at most once. A match keeps
 * its id and place; services that are equal match first. What matches nothing is removed, unless `keep` returns true.
 */
export function matchServices(
  wanted: WantedSubscription[],
  present: Subscription[],
  { keep = () => false }: MatchOptions = {},
): ServiceMatch {
  const named = new Set(wanted.map(({ id }) => id))
  const others = present.filter(({ id }) => !named.has(id))
  const kept = others.filter(keep)
  const free = new Set(others.filter((service) => !kept.includes(service)))
  const take = (isMatch: (service: Subscription) => boolean) => {
    const found = [...free].find(isMatch)
    if (found !== undefined) free.delete(found)
    return found?.id
  }
  const equal = wanted.map((service) => service.id ?? take((one) => isSame(service, one)))
  const ids = wanted.map((service, index) => equal[index] ?? take(({ code }) => code === service.code))
  const services = [...wanted.map((service, index) => withId(service, ids[index])), ...kept]
  const byId = new Map(present.map((service) => [service.id, service]))
  const isUnchanged = services.every((service) => isSame(service, byId.get(service.id ?? '')))
  return { services, isChange: !isUnchanged || services.length !== present.length }
}

function withId(service: WantedSubscription, id: string | undefined): WantedSubscription {
  return id === undefined ? service : { ...service, id }
}

/** What a field is when it is not sent. */
const defaults = new Map<string, unknown>([
  ['label', null],
  ['status', 'active'],
  ['start', null],
  ['end', null],
])

function isSame({ id: _, ...wanted }: WantedSubscription, present: Subscription | undefined): boolean {
  if (present === undefined) return false
  const { id: __, ...stored } = present
  return [...new Set([...Object.keys(wanted), ...Object.keys(stored)])].every((name) => {
    const value = wanted[name] ?? (defaults.has(name) ? defaults.get(name) : wanted[name])
    return isEqual(value, stored[name]) || (/^(start|end)$/.test(name) && isSameTime(value, stored[name]))
  })
}

/** Compares times with an offset; others are in the time zone of the facility, which the client does not know. */
function isSameTime(one: unknown, other: unknown): boolean {
  const isZoned = typeof one === 'string' && /T.*(Z|[+-]\d\d:?\d\d)$/i.test(one)
  return isZoned && typeof other === 'string' && Date.parse(one) === Date.parse(other)
}

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const [mine, theirs] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  if (Array.isArray(one) !== Array.isArray(other) || mine.size !== theirs.size) return false
  return [...mine].every(([name, value]) => theirs.has(name) && isEqual(value, theirs.get(name)))
}
