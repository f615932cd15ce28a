import { commandLine } from '../../domain/audit/audit.ts'
import { fullId } from '../../domain/identifier.ts'
import type { RoomLimits, SubscriptionDraft } from '../../domain/room/subscription.ts'
import type { Db } from '../../storage/database.ts'
import { partnerIdsAfter } from '../../storage/estate/estate-partner.ts'
import { listFacilities } from '../../storage/facility.ts'
import { facilityFor, reauthenticate } from '../access/lookup.ts'
import { changeRooms } from '../room/bulk.ts'
import { moveGuest } from '../room/move-guest.ts'
import type { ServiceRules } from '../room/services.ts'
import { addSubscriptions, closeRoom, openRoom } from '../room.ts'

/** Returns whether there are no facilities and partners; the demo is not mixed with those of an operator. */
export function isEstateEmpty(db: Db): Promise<boolean> {
  return db.read(async (tx) => {
    const any = { partner: '', every: true, status: undefined, afterId: undefined, limit: 1 }
    return (await listFacilities(tx, any)).length === 0 && (await partnerIdsAfter(tx, '', 1)).length === 0
  })
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** A time in the demo: days from the last midnight in UTC, or minutes from now. */
type Moment = { days: number } | { minutes: number }

/** Returns a service of a room, as a supplier of bedside television would send it; by default it began yesterday. */
const television = (end: Moment, start?: Moment) => service('tv-premium', 'Premium TV', end, { channels: 120 }, start)
const internet = (end: Moment, start?: Moment) =>
  service('wifi-plus', 'Fast Wi-Fi', end, { mbit_per_second: 100, devices: 3 }, start)
const telephone = (end: Moment, start?: Moment) =>
  service('phone', 'Bedside telephone', end, { prepaid_minutes: 60 }, start)

interface Stay {
  partner: string
  room: string
  services: SubscriptionDraft[]
  movedTo?: string
  /** Whether the guest has left. */
  isOver?: true
}

/** Guests who arrived together. */
const party = { partner: 'acme-pms', facility: 'lyon-01', rooms: ['301', '302', '303', '304'] }

/** Some services begin or end within minutes of the demo's first start, so that their events can be seen. */
const stays = (): Stay[] => [
  { partner: 'acme-pms', room: 'lyon-01-101', services: [] },
  { partner: 'acme-pms', room: 'lyon-01-203', services: [] },
  { partner: 'acme-pms', room: 'lyon-01-305', services: [], isOver: true },
  { partner: 'acme-pms', room: 'lyon-01-402', services: [] },
  { partner: 'vesta-tv', room: 'annecy-01-A-101', services: [television({ days: 4 }), internet({ days: 4 })] },
  { partner: 'vesta-tv', room: 'annecy-01-A-104', services: [internet({ days: 2 }, { minutes: 2 })] },
  {
    partner: 'vesta-tv',
    room: 'annecy-01-A-106',
    services: [television({ days: 5 }), telephone({ days: 5 })],
    movedTo: 'annecy-01-A-108',
  },
  { partner: 'vesta-tv', room: 'annecy-01-B-201', services: [television({ days: 9 }), telephone({ days: 9 })] },
  { partner: 'vesta-tv', room: 'annecy-01-B-202', services: [] },
  {
    partner: 'vesta-tv',
    room: 'annecy-01-B-207',
    services: [television({ days: 6 }), internet({ days: 6 }, { days: 2 }), telephone({ minutes: 5 })],
  },
  { partner: 'vesta-tv', room: 'annecy-01-C-303', services: [telephone({ days: 1 })] },
  { partner: 'vesta-tv', room: 'annecy-01-C-308', services: [television({ days: 3 })], isOver: true },
]

/** Opens rooms of the demo and adds services. Makes each change as the partner that is responsible for the room. */
export async function occupyDemoRooms(db: Db, limits: RoomLimits, endingSeconds: number): Promise<void> {
  for (const { partner, room, services, movedTo, isOver } of stays()) {
    const caller = callerFor(partner)
    const change = { area: room, precondition: {} }
    const addition = { bodyHash: '', limits, endingSeconds }
    await openRoom(db, caller, change)
    if (services.length > 0) await addSubscriptions(db, caller, change, { ...addition, drafts: services })
    if (movedTo) await moveGuest(db, caller, change, { to: movedTo, bodyHash: '' })
    if (isOver) await closeRoom(db, caller, change)
  }
  await openForParty(db, { limits, endingSeconds })
}

const callerFor = (partner: string) => ({ partner: { id: partner }, token: undefined, actor: commandLine })

/** Opens the rooms of the party in one call. */
async function openForParty(db: Db, rules: ServiceRules): Promise<void> {
  const { facility, rooms } = party
  const caller = callerFor(party.partner)
  const partner = await db.read((tx) => reauthenticate(tx, db.cache, caller))
  const { facility: visible } = await facilityFor(db.cache, partner, 'none', facility)
  const operations = rooms.map((room) => ({ op: 'open', area: fullId(facility, room), cycle: undefined }) as const)
  await changeRooms(
    db,
    { ...caller, partner },
    { facility: visible, order: { mode: 'all', operations }, rules, maxBytes: Infinity, once: undefined },
  )
}

function service(
  code: string,
  label: string,
  end: Moment,
  extra: Record<string, unknown>,
  start: Moment = { days: -1 },
): SubscriptionDraft {
  return { code, label, status: 'active', start: timeOf(start), end: timeOf(end), extra }
}

function timeOf(moment: Moment): string {
  const now = Date.now()
  const midnightMs = Math.floor(now / dayMs) * dayMs
  return new Date('days' in moment ? midnightMs + moment.days * dayMs : now + moment.minutes * minuteMs).toISOString()
}
