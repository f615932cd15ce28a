// Made from docs/openapi.json by `npm run openapi`.

/** A facility in the list. */
export interface FacilitySummary {
  /** Number of the facility. */
  id: number
  /** The identifier used in paths. */
  id_external: string
  /** Displayed name. */
  name: string
  /** Usually `active`, `suspended` or `closed`. */
  status: string
}

/** A facility. Fields that are not granted are left out. */
export interface Facility {
  /** Number of the facility. */
  id: number
  /** The identifier used in paths. */
  id_external: string
  /** Displayed name. */
  name: string
  /** Usually `active`, `suspended` or `closed`. */
  status: string
  /** When the facility was created. */
  date_created?: string
  /** When the facility was last changed. */
  date_updated?: string
  /** Public Wi-Fi network name. */
  ssid_public?: string | null
  /** Null where it is not known. */
  address?: Address | null
  /** Subscription or portal page. */
  subscription_url?: string | null
  /** For example `hotel` or `hospital`. */
  type?: string
  /** Whether the facility has a subscription. */
  subscribed?: boolean
  /** In-room equipment. */
  devices?: Device[]
  /** Number of areas. */
  areas_count?: number
  /** Number of entries. */
  areas_autocomplete_list_count?: number
}

/** Where the facility is. */
export interface Address {
  /** Street and number. */
  street: string | null
  /** Postal code. */
  postal_code: string | null
  /** City. */
  city: string | null
  /** Region. */
  region: string | null
  /** ISO 3166-1 alpha-2. */
  country: string
}

/** A piece of equipment. */
export interface Device {
  /** Identifier of the device within the facility. */
  id: string
  /** What it is, for example `tv`. */
  type: string
  /** Model. */
  model: string | null
  /** Serial number. */
  serial: string | null
  /** State, for example `online`. */
  status: string | null
  /** Full id of the area it is mounted in. */
  area_id_external: string | null
}

/** A room, zone or space of a facility. */
export interface Area {
  /** Full id: facility and short id joined by a hyphen. */
  id_external: string
  /** Displayed name. */
  name: string
  /** Start of the current cycle; null while the room is closed. */
  opened_at: string | null
  /** Id of the cycle; null while the room is closed. */
  cycle: string | null
  /** When the area was created. */
  date_created: string
  /** When the area or its subscriptions last changed. */
  date_updated: string
  /** Oldest first; empty when there are none. */
  data_services: Subscription[]
  /** The operator's own data. */
  data_general: {
    [name: string]: unknown
  }[]
}

/** A room as installation tools offer it. It needs no area. */
export interface AutocompleteEntry {
  /** Full id. */
  id_external: string
  /** Displayed name. */
  name: string
}

/** A service in a room. Other fields come back as the partner sent them. */
export interface Subscription {
  /** Made by the service (UUIDv7). */
  id: string
  /** Functional identifier of the service. */
  code: string
  /** Displayed label. */
  label: string | null
  /** State; `active` when none was sent. */
  status: string
  /** Start of validity, included. */
  start: string | null
  /** End of validity, excluded. */
  end: string | null
  [name: string]: unknown
}

/** A subscription as it is sent. Other fields are kept as they come, but for `id`, which the service makes. */
export interface SubscriptionDraft {
  /** Functional identifier of the service; not blank. */
  code: string
  /** Displayed label. */
  label?: string | null
  /** State; null for the default. */
  status?: string | null
  /** Start of validity, included. A date alone is the start of that day. ISO 8601, without an offset in the time zone of the facility, or Unix time in seconds or milliseconds. */
  start?: string | number | null
  /** End of validity, excluded, after `start`. A date alone is the end of that day. ISO 8601, without an offset in the time zone of the facility, or Unix time in seconds or milliseconds. */
  end?: string | number | null
  [name: string]: unknown
}

/** What a replacement does to the autocomplete list. */
export interface ListChanges {
  /** Entries that were not there. */
  added: AutocompleteEntry[]
  /** Entries that are no longer there. */
  removed: AutocompleteEntry[]
  /** Entries with another name. */
  renamed: {
    /** Full id. */
    id_external: string
    /** The name it had. */
    old: string
    /** The name it has. */
    new: string
  }[]
  /** Whether these are all of them; a dry run names all. */
  complete: boolean
}

/** Something that happened, as far as the partner may read it. */
export interface Event {
  /** Always the same for the same event and partner. */
  id: string
  /** What happened. */
  type:
    | 'facility.created' | 'facility.updated' | 'facility.removed' | 'autocomplete_list.replaced'
    | 'areas.changed' | 'area.opened' | 'area.closed' | 'services.added' | 'service.deleted' | 'service.started'
    | 'service.ending' | 'service.ended'
  /** When it happened. */
  occurred_at: string
  /** External id of the facility. */
  facility: string
  /** Full id of the room, where it happened in one. */
  area?: string
  /** `self` for what this partner itself has done. */
  origin:
    | 'self' | 'other'
  /** What depends on the type. */
  data: {
    [name: string]: unknown
  }
}

/** Events that follow one another. */
export interface EventPage {
  /** The oldest first. */
  data: Event[]
  /** What to send as `after` to go on from here. */
  next: string
}

/** What a token may do. */
export interface Me {
  partner: {
    /** Id of the partner. */
    id: string
    /** Name of the partner. */
    name: string
  }
  token: {
    /** Public part of the token. */
    id: string
    /** Name that the operator gave it. */
    name: string
    /** When it expires; null for never. */
    expires_at: string | null
  }
  /** Added up per facility. */
  grants: {
    /** External id, or `*` for every facility without a row of its own. */
    facility: string
    /** Fields that may be read, beside those that always may. */
    read: string[]
    /** Fields that may be changed. */
    write: string[]
    /** What may be done to rooms: `open_close`, `services`. */
    rooms: string[]
  }[]
  /** Null where none is set. */
  rate_limit: {
    /** Requests per second in the long run. */
    per_second: number
    /** Requests at once. */
    burst: number
  } | null
}

/** An address to which events are sent. */
export interface Webhook {
  /** Identifier. */
  id: string
  /** Where events are sent, by HTTPS. */
  url: string
  /** The types of events that are sent, or `*` for all, those to come included. */
  types: '*' | (
    | 'facility.created' | 'facility.updated' | 'facility.removed' | 'autocomplete_list.replaced'
    | 'areas.changed' | 'area.opened' | 'area.closed' | 'services.added' | 'service.deleted' | 'service.started'
    | 'service.ending' | 'service.ended')[]
  /** Whether the partner's own changes are sent too. */
  own: boolean
  /** `failing` is tried again, `disabled` is not. */
  state:
    | 'active' | 'failing' | 'disabled'
  /** Since when nothing is sent. */
  disabled_at: string | null
  /** `gone` after an answer of 410, `failed` after three days of failure. */
  disabled_reason:
    | 'switched_off' | 'gone' | 'failed' | null
  /** When the first of the failures came that go on. */
  failing_since: string | null
  /** When it is tried again. */
  next_attempt_at: string | null
  /** When it was made. */
  date_created: string
  /** When it was last changed. */
  date_updated: string
}

/** A webhook with its new secret. */
export interface IssuedWebhook {
  webhook: Webhook
  /** What messages are signed with. It is shown this once. */
  secret: string
}

/** One try to send an event. */
export interface WebhookDelivery {
  /** Id of the event. */
  event: string
  /** Its type. */
  type: string
  /** The how manieth try it was. */
  attempt: number
  /** When it ended. */
  at: string
  /** What was answered; null where nothing was. */
  status: number | null
  /** How long it took. */
  duration_ms: number
  /** What went wrong; null when it was taken. */
  error: string | null
}

/** A partner's own copy of some facilities, with a clock of its own. */
export interface Sandbox {
  /** Of the sandbox. The ids of its facilities begin with it. */
  id: string
  /** The partner whose sandbox it is. */
  partner: string
  facilities: {
    /** The identifier used in paths. */
    id_external: string
    /** The facility that it was copied from. */
    copy_of: string
    /** What it is called at the moment. */
    name: string
  }[]
  clock: {
    /** The time in the sandbox. */
    now: string
    /** How far it is ahead of real time. */
    ahead_seconds: number
  }
  /** When it was made. */
  date_created: string
  /** When it was last reset, in real time. */
  last_reset: string | null
}

/** Problem details (RFC 9457), the body of every refusal. */
export interface Problem {
  /** The page on this problem, a path of this service. */
  type: string
  /** The problem in a few words, the same each time. */
  title: string
  /** The HTTP status. */
  status: number
  /** What happened this time and what to do, for people. */
  detail: string
  /** Names this answer. */
  instance: string
  /** A stable word to decide on. The list can grow. */
  code:
    | 'request_malformed' | 'header_repeated' | 'header_invalid' | 'headers_too_large' | 'request_timeout'
    | 'route_not_found' | 'method_not_allowed' | 'token_missing' | 'token_invalid' | 'address_not_allowed'
    | 'rate_limited' | 'facility_not_granted' | 'facility_not_found' | 'not_granted' | 'area_not_found'
    | 'room_services_unsupported' | 'service_not_found' | 'precondition_failed' | 'cycle_ended'
    | 'idempotency_key_invalid' | 'idempotency_key_in_use' | 'idempotency_key_reused' | 'parameter_unknown'
    | 'parameter_invalid' | 'cursor_expired' | 'body_type_unsupported' | 'body_too_large' | 'body_not_json'
    | 'body_not_object' | 'body_too_deep' | 'key_forbidden' | 'text_forbidden' | 'value_missing'
    | 'value_not_string' | 'value_not_json' | 'value_not_array' | 'value_invalid' | 'item_not_object'
    | 'item_invalid' | 'limit_exceeded' | 'body_invalid' | 'webhook_not_found' | 'webhook_exists'
    | 'webhook_unreachable' | 'sandbox_required' | 'database_unavailable' | 'overloaded' | 'not_ready'
    | 'metrics_not_allowed' | 'internal_error'
  /** As in `X-Request-Id`. */
  request_id: string
  /** What is wrong with the body, at most 50 faults. */
  errors?: {
    /** JSON Pointer into the body. Behind `/value` of a legacy string it points into the JSON in the string. */
    pointer: string
    /** What is wrong there. */
    detail: string
  }[]
  /** With `not_granted`: the facility and the one grant on it that is missing, or the right that the partner lacks. */
  required?: {
    /** External id of the facility. */
    facility?: string
    /** Field that would have to be readable. */
    read?: string
    /** Field that would have to be writable. */
    write?: string
    /** Operation on rooms that would have to be allowed. */
    rooms?: string
    /** Right that the partner as a whole would have to have. */
    right?: string
  }
  /** With `parameter_unknown`: the query parameters that the route takes. */
  known?: string[]
}
