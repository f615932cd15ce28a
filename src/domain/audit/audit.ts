import { nowIso } from '../time.ts'

/** Who did it and how they came. */
export interface Actor {
  kind: 'partner' | 'operator' | 'service'
  /** The partner's id; the operator's e-mail address, or what they used; our own name. */
  name: string
  /** The id of the token or key it was done with. */
  token: string | null
  requestId: string | null
  address: string | null
}

export const commandLine: Actor = {
  kind: 'operator',
  name: 'command line',
  token: null,
  requestId: null,
  address: null,
}

/** What nobody does: it is what time brings. */
export const systemActor: Actor = { kind: 'service', name: 'atrium', token: null, requestId: null, address: null }

/** What a change touches, and so what is no longer true of what a node remembers. */
export type Scope =
  | 'nothing'
  | 'room'
  | 'list'
  | 'property'
  | 'facility'
  | 'facility_gone'
  | 'partner'
  | 'operators'
  | 'everything'

/** Everything that can be done to an estate. */
export const auditActions = {
  'room.open': 'room',
  'room.close': 'room',
  'services.add': 'room',
  'services.delete': 'room',
  'service.start': 'nothing',
  'service.near_end': 'nothing',
  'service.end': 'nothing',
  'autocomplete_list.replace': 'list',
  'facility.change': 'property',
  'facility.create': 'facility',
  'facility.update': 'facility',
  'facility.remove': 'facility_gone',
  'partner.create': 'partner',
  'partner.update': 'partner',
  'partner.remove': 'partner',
  'sandbox.create': 'partner',
  'sandbox.remove': 'partner',
  'sandbox.clock': 'partner',
  'sandbox.reset': 'partner',
  'token.create': 'partner',
  'token.update': 'partner',
  'token.revoke': 'partner',
  'token.rotate': 'partner',
  'webhook.create': 'partner',
  'webhook.update': 'partner',
  'webhook.remove': 'partner',
  'webhook.rotate': 'partner',
  'webhook.replay': 'partner',
  'webhook.retry': 'partner',
  'webhook.disable': 'partner',
  'operator.create': 'operators',
  'operator.update': 'operators',
  'operator.remove': 'operators',
  'operator.link': 'operators',
  'operator.sign_in': 'operators',
  'operator.sign_out': 'operators',
  'key.create': 'operators',
  'key.revoke': 'operators',
  'key.rotate': 'operators',
  'setting.change': 'operators',
  'database.restore': 'everything',
} as const satisfies Record<string, Scope>

export type AuditAction = keyof typeof auditActions

/** One change. Of a guest's subscriptions it holds ids and codes, nothing that says more about a patient. */
export interface AuditEntry {
  at: string
  actor: Actor
  action: AuditAction
  /** The external id of the facility it happened in. */
  facility: string | null
  /** The partner whose rights it is about. */
  partner: string | null
  /** The full id of the room, the id of the token. */
  subject: string | null
  detail: object
}

/** The log keeps real time; what the clock of a sandbox showed stands beside it, for the events. */
export function auditTimestamp(now: string, aheadMs: number, detail: object): Pick<AuditEntry, 'at' | 'detail'> {
  return aheadMs === 0 ? { at: now, detail } : { at: nowIso(), detail: { ...detail, clock: now } }
}
