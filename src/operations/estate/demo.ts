import { commandLine } from '../../domain/audit/audit.ts'
import type { RoomLimits, SubscriptionDraft } from '../../domain/room/subscription.ts'
import { listPartners } from '../../storage/access/partner.ts'
import type { Db } from '../../storage/database.ts'
import { listFacilities } from '../../storage/facility.ts'
import { addSubscriptions, openRoom } from '../room.ts'

/** Returns whether there are neither facilities nor partners, so that the demo cannot be mixed with a real estate. */
export function isEstateEmpty(db: Db): Promise<boolean> {
  return db.read(async (tx) => {
    const any = { partner: '', every: true, status: undefined, afterId: undefined, limit: 1 }
    return (await listFacilities(tx, any)).length === 0 && (await listPartners(tx, '')).length === 0
  })
}

const dayMs = 86_400_000

/** Returns a TV service from some days ago to some days ahead, as a bedside supplier would send it. */
const television = (days: number) => service('tv-premium', 'Premium TV', days, { channels: 120 })
const internet = (days: number) => service('wifi-plus', 'Fast Wi-Fi', days, { mbit_per_second: 100, devices: 3 })
const telephone = (days: number) => service('phone', 'Bedside telephone', days, { prepaid_minutes: 60 })

const occupied: { partner: string; room: string; services: SubscriptionDraft[] }[] = [
  { partner: 'acme-pms', room: 'lyon-01-101', services: [] },
  { partner: 'acme-pms', room: 'lyon-01-203', services: [] },
  { partner: 'acme-pms', room: 'lyon-01-402', services: [] },
  { partner: 'vesta-tv', room: 'annecy-01-A-101', services: [television(4), internet(4)] },
  { partner: 'vesta-tv', room: 'annecy-01-A-104', services: [internet(2)] },
  { partner: 'vesta-tv', room: 'annecy-01-B-201', services: [television(9), telephone(9)] },
  { partner: 'vesta-tv', room: 'annecy-01-B-202', services: [] },
  { partner: 'vesta-tv', room: 'annecy-01-B-207', services: [television(6), internet(6), telephone(6)] },
  { partner: 'vesta-tv', room: 'annecy-01-C-303', services: [telephone(1)] },
]

/** Opens rooms of the demo estate and adds services, each on behalf of the partner that would do so. */
export async function occupyDemoRooms(db: Db, limits: RoomLimits, endingSeconds: number): Promise<void> {
  for (const { partner: id, room, services } of occupied) {
    const caller = { partner: { id }, token: undefined, actor: commandLine }
    const change = { area: room, precondition: {} }
    const addition = { bodyHash: '', limits, endingSeconds }
    await openRoom(db, caller, change)
    if (services.length > 0) await addSubscriptions(db, caller, change, { ...addition, drafts: services })
  }
}

function service(code: string, label: string, days: number, extra: Record<string, unknown>): SubscriptionDraft {
  const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
  const start = new Date(midnightMs - dayMs).toISOString()
  return { code, label, status: 'active', start, end: new Date(midnightMs + days * dayMs).toISOString(), extra }
}
