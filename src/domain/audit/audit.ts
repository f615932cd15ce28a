import { nowIso } from '../time.ts'

/** The originator of a change: who made it, and in which request. */
export interface Actor {
  kind: 'partner' | 'operator' | 'service'
  /** The id of the partner; the e-mail address of the operator, or "command line"; "atrium" for the service itself. */
  name: string
  /** The public id of the token or operator key. */
  token: string | null
  requestId: string | null
  address: string | null
  /** The number of the audit entry whose change is undone. */
  undoes?: number
}

export const commandLine: Actor = {
  kind: 'operator',
  name: 'command line',
  token: null,
  requestId: null,
  address: null,
}

export const systemActor: Actor = { kind: 'service', name: 'atrium', token: null, requestId: null, address: null }

/** The extent of a change, by which every node knows what to remove from its caches. */
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

export const auditActions = {
  'room.open': 'room',
  'room.close': 'room',
  'room.move': 'room',
  'services.add': 'room',
  'services.delete': 'room',
  'services.change': 'room',
  'services.replace': 'room',
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
  'token.import': 'partner',
  'token.update': 'partner',
  'token.revoke': 'partner',
  'token.rotate': 'partner',
  'token.near_end': 'nothing',
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
  'audit.remove': 'nothing',
  'database.backup': 'nothing',
  'database.restore': 'everything',
} as const satisfies Record<string, Scope>

export type AuditAction = keyof typeof auditActions

/** An entry of the audit log. For privacy, it holds only ids and codes of a guest's subscriptions. */
export interface AuditEntry {
  /** Default: now. */
  at?: string
  actor: Actor
  action: AuditAction
  /** The external id of the facility that the change concerns, if any. */
  facility?: string | null | undefined
  /** The id of the partner whose tokens, grants or webhooks changed, if any. */
  partner?: string | null | undefined
  /** The id of the changed object, such as the full id of a room or the public id of a token. */
  subject?: string | null
  detail: object
}

/** `at` is the real time. The detail gets the time on the sandbox's own clock (`now`), because events show that. */
export function auditTimestamp(now: string, aheadMs: number, detail: object): Pick<AuditEntry, 'at' | 'detail'> {
  return aheadMs === 0 ? { at: now, detail } : { at: nowIso(), detail: { ...detail, clock: now } }
}
