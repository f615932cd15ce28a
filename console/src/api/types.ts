/** The objects of /cms/v1, as its OpenAPI document names them. */

export type Role = 'viewer' | 'editor' | 'admin'

export interface Operator {
  id: string
  email: string
  name: string
  role: Role
  has_password: boolean
  date_created: string
  date_disabled: string | null
}

export interface SignedIn {
  operator: Operator
  via: 'session' | 'key'
  expires_at: string | null
}

export interface Session {
  id: string
  current: boolean
  date_created: string
  last_used: string
  expires_at: string
  address: string | null
  agent: string | null
}

export interface Key {
  id: string
  operator: string
  name: string
  date_created: string
  expires_at: string | null
  revoked_at: string | null
  last_used: string | null
  allowed_ranges: string[]
}

export interface Address {
  street: string | null
  postal_code: string | null
  city: string | null
  region: string | null
  country: string
}

export interface Device {
  id: string
  type: string
  model: string | null
  serial: string | null
  status: string | null
  area: string | null
}

export interface Facility {
  id: number
  id_external: string
  name: string
  status: string
  type: string
  ssid_public: string | null
  subscription_url: string | null
  subscribed: boolean
  timezone: string
  room_services: boolean
  address: Address | null
  devices?: Device[]
  devices_count: number
  areas_count: number
  open_count: number
  list_count: number
  date_created: string
  date_updated: string
}

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

export interface Lost {
  areas: number
  open_rooms: number
  subscriptions: number
}

export type Names = '*' | string[]

export interface Grant {
  facilities: Names
  read: Names
  write: Names
  rooms: Names
}

export interface Partner {
  id: string
  name: string
  rate_limit: string | null
  contract: unknown
  grants: Grant[]
}

export interface PartnerRow {
  id: string
  name: string
  rate_limit: string | null
  contract: boolean
  grants_count: number
  tokens_count: number
  facilities_count: number | null
  last_used: string | null
}

export interface Token {
  id: string
  partner: string
  name: string
  date_created: string
  expires_at: string | null
  revoked_at: string | null
  last_used: string | null
  allowed_ranges: string[]
  successor: string | null
  predecessor: string | null
  safe_to_revoke: boolean
  state: 'active' | 'expiring' | 'expired' | 'revoked'
}
