import { removed } from '../../src/domain/audit/estate-audit.ts'
import type { EntryContent } from './audit-rows.ts'

// The audit entries of areas, a facility and partners that `apply --prune` removes.

/** Compared without ids, which are random. */
const tokens = [{ id: 'an id', name: 'test', expires_at: null, allowed_ranges: [] }]
const ofPartner = (partner: string) => ({ facility: null, partner, subject: null })
const ofFacility = (facility: string) => ({ facility, partner: null, subject: null })

export const prunedFacilities: EntryContent[] = [
  {
    action: 'facility.update',
    ...ofFacility('chu-nord'),
    detail: {
      areas_removed: 4,
      area_changes: [
        { id: '8', before: { name: 'C' }, after: null },
        { id: '9', before: { name: 'B' }, after: null },
        { id: '215', before: { name: 'A' }, after: null },
        { id: '216', before: { name: 'Room 216' }, after: null },
      ],
    },
  },
  {
    action: 'facility.remove',
    ...ofFacility('nice-02'),
    detail: {
      areas: 1,
      changes: removed({
        ...{ id: 13, name: 'Résidence du Port', status: 'suspended', type: 'residence', subscribed: false },
        ...{ timezone: 'UTC', room_services: true },
        grants: [{ partner: 'hotelier', place: 1, read: ['areas'], write: [], rooms: ['open_close'] }],
      }),
      area_changes: [{ id: 'A-1', before: { name: 'Flat A1' }, after: null }],
    },
  },
]

export const prunedPartners: EntryContent[] = [
  {
    action: 'partner.remove',
    ...ofPartner('hotelier'),
    detail: {
      changes: removed({
        ...{ name: 'Hotel PMS', webhooks: false },
        grants: [
          { facilities: ['lyon-01'], read: ['ssid_public', 'address'], write: ['name'], rooms: [] },
          { facilities: ['lyon-01'], read: ['areas'], write: [], rooms: ['open_close'] },
        ],
        tokens,
      }),
    },
  },
  {
    action: 'partner.remove',
    ...ofPartner('stranger'),
    detail: { changes: removed({ name: 'Sees nothing', webhooks: false, tokens }) },
  },
]
