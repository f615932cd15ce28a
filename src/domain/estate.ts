import type { Grant } from './access/grant.ts'
import type { Entry } from './autocomplete-list.ts'
import type { Address, Device, Facility } from './facility.ts'
import type { Contract } from './room/contract.ts'

/** An area as the estate file names it, by its short id. */
export interface EstateArea {
  id: string
  name?: string
  dataGeneral?: object[]
}

/** A facility as the estate file names it. What is absent stays as it is, in `address` too. */
export interface EstateFacility
  extends Partial<Omit<Facility, 'idExternal' | 'address' | 'dateCreated' | 'dateUpdated'>> {
  idExternal: string
  address?: Partial<Address> | null
  devices?: Device[]
  areas?: EstateArea[]
  entries?: Entry[]
}

/** A partner as the estate file names it. */
export interface EstatePartner {
  id: string
  name?: string
  contract?: Contract | null
  rateLimit?: string | null
  webhooks?: boolean
  grants?: Grant[]
}

/** `line` is where the item begins in its file, when it comes from one. */
export type EstateItem =
  | { kind: 'facility'; line?: number | undefined; facility: EstateFacility }
  | { kind: 'partner'; line?: number | undefined; partner: EstatePartner }

/** What a new facility has where its file says nothing. Its areas, entries and devices are empty lists. */
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

/** Our names for what the file writes in its own way, for messages and differences. */
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

export interface EstateFault {
  line?: number | undefined
  /** Where in the item it is, as a JSON pointer. */
  pointer?: string
  message: string
}

export const maxFaults = 20

/** What is wrong with an estate file; nothing of it was applied. */
export class EstateFaults extends Error {
  readonly faults: EstateFault[]

  constructor(faults: EstateFault[]) {
    super(faults.map(({ message }) => message).join('\n'))
    this.name = 'EstateFaults'
    this.faults = faults
  }
}

/** Gathers faults, and stops the work by throwing them when there are enough to look at. */
export interface FaultList {
  readonly count: number
  add(fault: EstateFault): void
  clear(): void
  /** Throws when there are any. */
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
