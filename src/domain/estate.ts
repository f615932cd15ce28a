import type { Grant } from './access/grant.ts'
import type { Entry } from './autocomplete-list.ts'
import type { Address, Device, Facility } from './facility.ts'
import type { Contract } from './room/contract.ts'

/** An area (room) in the estate file; `id` is its short id. Absent fields are not changed. */
export interface EstateArea {
  id: string
  name?: string
  dataGeneral?: object[]
}

/** A facility in the estate file. Absent fields are not changed, nor are absent fields of `address`. */
export interface EstateFacility
  extends Partial<Omit<Facility, 'idExternal' | 'address' | 'dateCreated' | 'dateUpdated'>> {
  idExternal: string
  address?: Partial<Address> | null
  devices?: Device[]
  areas?: EstateArea[]
  entries?: Entry[]
}

/** A partner in an estate file, which describes facilities and partners. Fields that it leaves out are not changed. */
export interface EstatePartner {
  id: string
  name?: string
  contract?: Contract | null
  rateLimit?: string | null
  webhooks?: boolean
  grants?: Grant[]
}

/** `line` is the first line of the item, if it was read from a file. */
export type EstateItem =
  | { kind: 'facility'; line?: number | undefined; facility: EstateFacility }
  | { kind: 'partner'; line?: number | undefined; partner: EstatePartner }

export interface EstateReceiver {
  /** Called before the first batch, and again if the export starts over: what was received until then is void. */
  begin(): void
  receive(items: EstateItem[]): Promise<void>
}

/** The defaults of a new facility. It also has no areas and an empty autocomplete list. */
export const facilityDefaults = {
  status: 'active',
  type: 'hotel',
  ssidPublic: null,
  subscriptionUrl: null,
  subscribed: false,
  timezone: 'UTC',
  roomServices: false,
  address: null,
  devices: [],
} satisfies Partial<Facility>

/** Maps the fields of a facility in code to their keys in the estate file. */
export const facilityKeys = {
  name: 'name',
  status: 'status',
  type: 'type',
  ssidPublic: 'ssid_public',
  subscriptionUrl: 'subscription_url',
  subscribed: 'subscribed',
  timezone: 'timezone',
  roomServices: 'room_services',
  address: 'address',
  devices: 'devices',
} as const
export type FacilityKey = keyof typeof facilityKeys

/** Maps the fields of a partner in code to their keys in the estate file. */
export const partnerKeys = {
  name: 'name',
  contract: 'contract',
  rateLimit: 'rate_limit',
  webhooks: 'webhooks',
  grants: 'grants',
} as const
export type PartnerKey = keyof typeof partnerKeys

export interface EstateFault {
  line?: number | undefined
  /** A JSON Pointer to the fault, within the facility or partner. */
  pointer?: string
  message: string
}

export const maxFaults = 20

/** Thrown with the faults of an estate file, of which nothing is applied then. */
export class EstateFaults extends Error {
  readonly faults: EstateFault[]

  constructor(faults: EstateFault[]) {
    super(faults.map(({ message }) => message).join('\n'))
    this.name = 'EstateFaults'
    this.faults = faults
  }
}

/** Collects the faults of an estate file. Throws all of them as soon as there are `maxFaults`. */
export interface FaultList {
  readonly count: number
  add(fault: EstateFault): void
  clear(): void
  throwIfAny(): void
}

export function faultList(): FaultList {
  const faults: EstateFault[] = []
  const settle = () => {
    if (faults.length > 0) throw new EstateFaults(faults)
  }
  return {
    get count() {
      return faults.length
    },
    add: (fault) => {
      if (faults.push(fault) >= maxFaults) settle()
    },
    clear: () => void faults.splice(0),
    throwIfAny: settle,
  }
}
