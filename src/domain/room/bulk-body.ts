import { isObject } from '../json.ts'
import { isCycle } from '../precondition.ts'
import { type Fault, Refusal, refusalAt, refusalFor } from '../refusal.ts'
import { contractFaults } from './contract.ts'
import { decodeExactJson } from './legacy-body.ts'
import { draftServices, type SubscriptionDraft, type SubscriptionRules } from './subscription.ts'
import { contractForms, type WantedSubscription } from './subscription-change.ts'
import { firstFaults, wantedSubscriptions } from './wanted-subscriptions.ts'

/** The mode `each` lets operations succeed or fail on their own; with `all`, one failure undoes all of them. */
const bulkModes = ['each', 'all'] as const
const maxOperations = 500

/** The members that an operation needs besides `op` and `area`. Those of other operations are refused. */
const membersOf = {
  open: [],
  close: [],
  add_services: ['services'],
  replace_services: ['services'],
  move: ['to'],
} as const satisfies Record<string, readonly Member[]>

type Member = 'services' | 'to'
export type OperationName = keyof typeof membersOf
export const operationNames = Object.keys(membersOf) as OperationName[]

interface RoomOf {
  /** The full id of the room. */
  area: string
  /** The cycle that the room must be in. Null if the room must be closed, undefined for any cycle. */
  cycle: string | null | undefined
}

/** A `Refusal` as a plain object: worker threads, which parse large bodies, cannot send class instances. */
export type PlainRefusal = Pick<Refusal, 'code' | 'message' | 'facts'>

/** An operation that cannot be understood. It fails, and so do later ones on its room, if it names one. */
interface MalformedOperation {
  op: 'malformed'
  area: string | undefined
  refusal: PlainRefusal
}

/** An operation. If its services are invalid, it has a `refusal`, with which it fails once its room was checked. */
export type RoomOrder = RoomOf &
  (
    | { op: 'open' }
    | { op: 'close' }
    // `pointer` is where `to` is in the request body.
    | { op: 'move'; to: string; pointer: string }
    // `pointer` is where `services` is in the request body.
    | { op: 'add_services'; drafts: SubscriptionDraft[]; pointer: string }
    // `faults` are violations of the partner's contract (a JSON Schema). Those in subscriptions that would not change
    // are ignored.
    | { op: 'replace_services'; wanted: WantedSubscription[]; pointer: string; faults: Fault[] }
    | { op: 'add_services' | 'replace_services'; refusal: PlainRefusal }
  )

export type BulkOperation = RoomOrder | MalformedOperation

export interface BulkOrder {
  mode: (typeof bulkModes)[number]
  operations: BulkOperation[]
}

/** JSON levels around a list of services, added to the configured depth: services nest as deeply as in other bodies. */
const levelsAbove = 3

/** Parses a bulk call. A malformed operation or invalid services refuse only their own operation, not the call. */
export function parseBulk(body: Uint8Array, rules: SubscriptionRules): BulkOrder {
  const sent = decodeExactJson(body, rules.limits.jsonDepth + levelsAbove)
  if (!isObject(sent)) throw refusalAt('body_invalid', '', 'The body must be a JSON object.')
  const { mode, operations } = sent
  if (Array.isArray(operations) && operations.length > maxOperations) {
    throw refusalAt('limit_exceeded', '/operations', `One call can have ${maxOperations} operations.`)
  }
  const faults: Fault[] = []
  if (!bulkModes.includes(mode as BulkOrder['mode'])) {
    faults.push({ pointer: '/mode', detail: '"mode" must be "each" or "all".' })
  }
  if (!Array.isArray(operations) || operations.length === 0) {
    faults.push({ pointer: '/operations', detail: '"operations" must be an array of at least one operation.' })
  }
  if (faults.length > 0) throw refusalFor('body_invalid', 'Nothing was changed.', faults)
  const all = (operations as unknown[]).map((one, index) => parseOperation(one, `/operations/${index}`, rules))
  return { mode: mode as BulkOrder['mode'], operations: all }
}

function parseOperation(sent: unknown, pointer: string, rules: SubscriptionRules): BulkOperation {
  const faults = faultsOf(sent, pointer)
  if (faults.length === 0) return parseOrder(sent as SentOrder, pointer, rules)
  const area = isObject(sent) && isId(sent.area) ? (sent.area as string) : undefined
  return { op: 'malformed', area, refusal: plain(refusalFor('body_invalid', 'Nothing was changed.', faults)) }
}

export function refuseServices({ mode, operations }: BulkOrder, detail: string): BulkOrder {
  return {
    mode,
    operations: operations.map((one) => {
      if (one.op !== 'add_services' && one.op !== 'replace_services') return one
      if ('refusal' in one) return one
      const { op, area, cycle, pointer } = one
      return { op, area, cycle, refusal: plain(refusalAt('item_invalid', pointer, detail)) }
    }),
  }
}

function plain({ code, message, facts }: Refusal): PlainRefusal {
  return { code, message, facts }
}

interface SentOrder {
  op: OperationName
  area: string
  cycle?: string | null
  services: unknown[]
  to: string
}

const forms: Record<Member, { isValid(value: unknown): boolean; form: string }> = {
  services: { isValid: Array.isArray, form: 'an array' },
  to: { isValid: isId, form: 'the full id of a room' },
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** Finds missing, malformed and unexpected members. */
function faultsOf(sent: unknown, pointer: string): Fault[] {
  if (!isObject(sent)) return [{ pointer, detail: 'An operation must be a JSON object.' }]
  const { op, area, cycle } = sent
  const faults: Fault[] = []
  const fault = (member: string, detail: string) => faults.push({ pointer: `${pointer}/${member}`, detail })
  if (!isId(area)) fault('area', '"area" must be the full id of a room.')
  if (cycle !== undefined && cycle !== null && !(typeof cycle === 'string' && isCycle(cycle.toLowerCase()))) {
    fault('cycle', '"cycle" must be the "cycle" of an area: a UUID, or null if the room is to be closed.')
  }
  if (!operationNames.includes(op as OperationName)) {
    fault('op', `"op" must be one of ${operationNames.map((name) => `"${name}"`).join(', ')}.`)
    return faults
  }
  const needed: readonly string[] = membersOf[op as OperationName]
  for (const [member, { isValid, form }] of Object.entries(forms)) {
    const isSent = Object.hasOwn(sent, member)
    if (needed.includes(member) && !(isSent && isValid(sent[member]))) fault(member, `"${member}" must be ${form}.`)
    if (!needed.includes(member) && isSent) fault(member, `"${op}" takes no "${member}".`)
  }
  return faults
}

function parseOrder(sent: SentOrder, pointer: string, rules: SubscriptionRules): RoomOrder {
  const { op, area, cycle } = sent
  const room = { area, cycle: cycle === null ? null : cycle?.toLowerCase() }
  if (op === 'open' || op === 'close') return { ...room, op }
  if (op === 'move') return { ...room, op, to: sent.to, pointer: `${pointer}/to` }
  const at = `${pointer}/services`
  try {
    if (op === 'add_services') return { ...room, op, drafts: draftServices(sent.services, rules, at), pointer: at }
    const wanted = wantedSubscriptions(sent.services, rules, at)
    return { ...room, op, wanted, pointer: at, faults: faultsUnderContract(wanted, at, rules) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...room, op, refusal: plain(error) }
  }
}

function faultsUnderContract(wanted: WantedSubscription[], at: string, { contract }: SubscriptionRules): Fault[] {
  if (contract === null) return []
  return wanted.flatMap(({ id, sent }, index) => {
    const accepted = id === null ? [sent] : contractForms(sent, sent)
    return firstFaults(accepted.map((form) => contractFaults(contract, form, `${at}/${index}`)))
  })
}
