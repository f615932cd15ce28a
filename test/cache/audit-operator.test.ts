import assert from 'node:assert/strict'
import { test } from 'node:test'
import { created } from '../../src/domain/audit/estate-audit.ts'
import { createToken, type IssuedToken, revokeToken, rotateToken } from '../../src/operations/access/token.ts'
import { onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import { type AuditRow, contentOf, type EntryContent, entriesAfter, lastEntry } from './audit-rows.ts'
import { prunedFacilities, prunedPartners } from './pruned.ts'

interface Row {
  what: string
  change(atrium: TestAtrium): Promise<unknown>
  /** All entries that it adds to the audit log. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result
  leaves(answer: any): EntryContent[]
}

const nothing = () => []

const withoutTokenIds = (entries: EntryContent[]): EntryContent[] =>
  JSON.parse(JSON.stringify(entries).replaceAll(/"id":"\w{8}"/g, '"id":"an id"'))

const order = { partner: 'ward', name: 'spare', expiresAt: null, allowedRanges: [] }
const ofPartner = (partner: string) => ({ facility: null, partner, subject: null })
const ofFacility = (facility: string) => ({ facility, partner: null, subject: null })
const apply =
  (part: object, prune = false) =>
  (atrium: TestAtrium) =>
    seed(atrium.service.db, part, { prune })
const [lyon, chu, nice] = estate.facilities
const bare = estate.partners.find(({ id }) => id === 'bare')

const byOperator: Row[] = [
  {
    what: 'token create',
    change: ({ service }) => createToken(service.db, order),
    leaves: ({ token }) => [
      {
        action: 'token.create',
        facility: null,
        partner: 'ward',
        subject: token.id,
        detail: {
          changes: [
            { key: 'name', before: null, after: 'spare' },
            { key: 'expires_at', before: null, after: null },
            { key: 'allowed_ranges', before: null, after: [] },
          ],
        },
      },
    ],
  },
  {
    what: 'token revoke',
    change: async ({ service }) => revokeToken(service.db, (await spare(service.db)).token.id),
    leaves: ({ id, revokedAt }) => [
      {
        action: 'token.revoke',
        facility: null,
        partner: 'ward',
        subject: id,
        detail: { changes: [{ key: 'revoked_at', before: null, after: revokedAt }] },
      },
    ],
  },
  {
    what: 'token revoke of a revoked one',
    change: async ({ service }) => {
      const { token } = await spare(service.db)
      await revokeToken(service.db, token.id)
      return revokeToken(service.db, token.id)
    },
    leaves: ({ id, revokedAt }) => [
      {
        action: 'token.revoke',
        facility: null,
        partner: 'ward',
        subject: id,
        detail: { changes: [{ key: 'revoked_at', before: null, after: revokedAt }] },
      },
    ],
  },
  {
    what: 'token rotate',
    change: async ({ service }) => rotateToken(service.db, (await spare(service.db)).token.id, { graceSeconds: 0 }),
    leaves: ({ old, token }) => {
      const changes = [
        { key: 'revoked_at', before: null, after: old.revokedAt },
        { key: 'successor', before: null, after: token.id },
      ]
      const issued = { name: token.name, expires_at: token.expiresAt, allowed_ranges: token.allowedRanges }
      const detail = { changes, issued }
      return [{ action: 'token.rotate', facility: null, partner: 'ward', subject: old.id, detail }]
    },
  },
  { what: 'apply of what is there', change: apply(estate, true), leaves: nothing },
  {
    what: 'apply: a facility with new and changed areas',
    change: apply({
      facilities: [
        {
          id_external: 'chu-nord',
          name: 'CHU',
          areas: [
            { id: '214', name: 'A' },
            { id: '9', name: 'B' },
            { id: '8', name: 'C' },
          ],
        },
      ],
    }),
    leaves: () => [
      {
        action: 'facility.update',
        ...ofFacility('chu-nord'),
        detail: {
          changes: [{ key: 'name', before: 'CHU Nord', after: 'CHU' }],
          areas_created: 2,
          areas_updated: 1,
          area_changes: [
            { id: '214', before: { name: 'Room 214' }, after: { name: 'A' } },
            { id: '9', before: null, after: { name: 'B' } },
            { id: '8', before: null, after: { name: 'C' } },
          ],
        },
      },
    ],
  },
  {
    what: 'apply: only areas',
    change: apply({ facilities: [{ id_external: 'chu-nord', areas: [{ id: '215', name: 'A' }] }] }),
    leaves: () => [
      {
        action: 'facility.update',
        ...ofFacility('chu-nord'),
        detail: {
          changes: [],
          areas_created: 0,
          areas_updated: 1,
          area_changes: [{ id: '215', before: { name: 'Room 215' }, after: { name: 'A' } }],
        },
      },
    ],
  },
  {
    what: 'apply: a new facility',
    change: apply({ facilities: [{ id_external: 'new', name: 'New', areas: [{ id: '1', name: 'One' }] }] }),
    leaves: () => [
      {
        action: 'facility.create',
        ...ofFacility('new'),
        detail: {
          changes: created({
            ...{ id: 14, name: 'New', status: 'active', type: 'hotel', subscribed: false },
            ...{ timezone: 'UTC', room_services: false },
          }),
          areas_created: 1,
          areas_updated: 0,
          area_changes: [{ id: '1', before: null, after: { name: 'One' } }],
        },
      },
    ],
  },
  {
    what: 'apply --prune: an area and a facility go',
    change: apply(
      { facilities: [lyon, { ...chu, name: 'CHU', areas: [{ id: '214' }] }, { id_external: 'new' }] },
      true,
    ),
    leaves: () => prunedFacilities,
  },
  {
    what: 'apply: partners',
    change: apply({
      partners: [
        { id: 'bare', name: 'Bare', grants: [] },
        { id: 'new', name: 'New' },
      ],
    }),
    leaves: () => [
      {
        action: 'partner.update',
        ...ofPartner('bare'),
        detail: {
          changes: [
            { key: 'name', before: 'Sees names only', after: 'Bare' },
            { key: 'grants', before: bare?.grants, after: [] },
          ],
        },
      },
      {
        action: 'partner.create',
        ...ofPartner('new'),
        detail: { changes: created({ name: 'New', webhooks: false }) },
      },
    ],
  },
  {
    what: 'apply --prune: partners go',
    change: apply({ partners: [{ id: 'ward' }, { id: 'everything' }, { id: 'new' }, { id: 'bare' }] }, true),
    leaves: () => prunedPartners,
  },
  {
    what: 'an estate that is refused',
    change: (atrium) => apply({ facilities: [nice, { id_external: 'no-name' }] })(atrium).catch(() => {}),
    leaves: nothing,
  },
]

function isUnnoted({ action, detail }: AuditRow): boolean {
  return action === 'token.create' && detail.changes[0].after === 'unnoted'
}

async function spare(db: TestAtrium['service']['db']): Promise<IssuedToken> {
  return (await createToken(db, { ...order, name: 'unnoted' })) as IssuedToken
}

onEachEngine('audit entries of the command line', {}, (atrium) => {
  for (const { what, change, leaves } of byOperator) {
    test(what, async () => {
      const { db } = atrium().service
      const before = await lastEntry(db)
      const answer = await change(atrium())
      const entries = (await entriesAfter(db, before)).filter((entry) => !isUnnoted(entry))
      assert.deepEqual(withoutTokenIds(entries.map(contentOf)), leaves(answer))
      for (const { actor_kind, actor, token, request_id, address } of entries) {
        const who = [actor_kind, actor, token, request_id, address]
        assert.deepEqual(who, ['operator', 'command line', null, null, null])
      }
    })
  }
})
