/** Types of /cms/v1, inferred from the views of the service. */

import type * as rights from '../../../src/domain/access/grant.ts'
import type * as estate from '../../../src/domain/facility.ts'
import type * as events from '../../../src/domain/room/event.ts'
import type { sandboxView } from '../../../src/domain/sandbox.ts'
import type { facilityRow, lostView } from '../../../src/http/cms/estate/facility-view.ts'
import type { keyView, operatorView, sessionView } from '../../../src/http/cms/operators/operator-view.ts'
import type { partnerRow, partnerView } from '../../../src/http/cms/partners/partner-view.ts'
import type { tokenView } from '../../../src/http/cms/partners/token-view.ts'
import type { withAttemptView } from '../../../src/http/cms/partners/webhooks.ts'
import type { operatorDeliveryView } from '../../../src/http/webhook-view.ts'

export type Operator = ReturnType<typeof operatorView>
export type Role = Operator['role']
export type Session = ReturnType<typeof sessionView>
export type Key = ReturnType<typeof keyView>

export interface SignedIn {
  operator: Operator
  via: 'session' | 'key'
  expires_at: string | null
}

export type Address = estate.Address
export type Device = estate.Device
/** Facilities in lists have no devices. */
export type Facility = ReturnType<typeof facilityRow> & { devices?: Device[] }
export type Lost = ReturnType<typeof lostView>

export interface Service {
  id: string
  code: string
  label: string | null
  start: string | null
  end: string | null
  status: string | null
}

export interface Area {
  id: string
  id_external: string
  name: string
  opened_at: string | null
  cycle: string | null
  data_general: unknown[]
  services_count: number
  services_valid: number
  services?: Service[]
  date_created: string
  date_updated: string
}

export type Grant = rights.Grant
export type Partner = ReturnType<typeof partnerView>
export type PartnerRow = ReturnType<typeof partnerRow>
export type Webhook = ReturnType<typeof withAttemptView>
export type Delivery = ReturnType<typeof operatorDeliveryView>
export type EventType = events.EventType
export type Sandbox = ReturnType<typeof sandboxView>
export type Token = ReturnType<typeof tokenView>
