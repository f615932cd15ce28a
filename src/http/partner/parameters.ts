import { wordPattern } from '../../domain/facility.ts'
import { facilityIdPattern, isFacilityId } from '../../domain/identifier.ts'
import { type EventType, eventTypes } from '../../domain/room/event.ts'
import { isLonger } from '../../domain/text.ts'
import { flag, parameter, type ValuesOf } from '../pipeline/query.ts'
import * as examples from './examples.ts'
import { requestParameters } from './request-parameters.ts'

const word = new RegExp(wordPattern)
/** Matches a cursor in base64url. The longest one encodes an id of 64 characters with four bytes each. */
const cursorPattern = '^[\\w-]{1,512}$'
const cursor = new RegExp(cursorPattern)

/** A parameter with a date-time. It is parsed later, because that requires the time zone of a facility. */
const moment = (description: string, example: string, rule: string) =>
  parameter({ description, schema: { type: 'string', minLength: 1, maxLength: 255 }, example, rule, read: toText })

export const parameters = {
  limit: parameter({
    description: 'The size of a page. Without it, the list is complete.',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    example: 100,
    rule: 'must be a whole number from 1 to 1000',
    read: (text) => toInteger(text, 1, 1000),
  }),
  cursor: parameter({
    description: 'Where the page starts, from the `Link` header of the previous page.',
    schema: { type: 'string', pattern: cursorPattern },
    example: 'WyJmIiwxXQ',
    rule: 'must come from the Link header of a page of this list',
    read: toCursor,
  }),
  status: parameter({
    description: 'Only facilities with this status.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'active',
    rule: 'must be a lower-case word such as active',
    read: toWord,
  }),
  type: parameter({
    description: 'Only facilities of this type, among those whose `type` the partner may read.',
    schema: { type: 'string', pattern: wordPattern },
    example: 'hotel',
    rule: 'must be a lower-case word such as hotel',
    read: toWord,
  }),
  q: parameter({
    description:
      'Only items with a name or short id in which a word begins like this, or with a full id that begins like this; case and accents are ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'suite',
    rule: 'must be 1 to 255 characters',
    read: toText,
  }),
  open: flag('`true` for open rooms only, `false` for closed ones only.', true),
  service: parameter({
    description: 'Only rooms that have a subscription with this `code`; with `active_at`, one that is valid then.',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
    example: examples.subscription.code,
    rule: 'must be the code of a service: 1 to 64 characters, not blank',
    read: (text) => (isLonger(text, 64) ? undefined : toText(text)),
  }),
  changed_since: moment(
    'Only areas that were changed then or later: an ISO 8601 date-time, without an offset in the time zone of the facility.',
    '2026-11-15T00:00:00Z',
    'must be a date-time',
  ),
  after: parameter({
    description:
      'The `next` of the previous response, or the id of the last event received. Without it, only new events.',
    schema: { type: 'string', pattern: cursorPattern },
    example: examples.eventPage.next,
    rule: 'must be the "next" of an earlier response, or the id of an event',
    read: toCursor,
  }),
  wait: parameter({
    description: 'Seconds to wait for an event when there is none yet.',
    schema: { type: 'integer', minimum: 0, maximum: 30 },
    example: 20,
    rule: 'must be a whole number of seconds from 0 to 30',
    read: (text) => toInteger(text, 0, 30),
  }),
  types: parameter({
    description: 'Only events of these types, separated by commas.',
    schema: { type: 'string', pattern: '^[a-z_.]+(?:,[a-z_.]+)*$' },
    example: 'area.opened,area.closed',
    rule: `must be types of events, separated by commas: ${eventTypes.join(', ')}`,
    read: toEventTypes,
  }),
  facility: parameter({
    description: 'Only events of this facility, which the partner must be able to see.',
    schema: { type: 'string', pattern: facilityIdPattern },
    example: examples.facility.id_external,
    rule: 'must be the external id of a facility',
    read: (text) => (isFacilityId(text) ? text : undefined),
  }),
  active_at: moment(
    'Only subscriptions that are valid then: `now`, or a date-time in ISO 8601, without an offset in the time zone of the facility. Its ETag is not accepted in `If-Match`.',
    'now',
    'must be "now" or a date-time',
  ),
  dry_run: flag('`true` changes nothing and returns what would be added, removed and renamed.', true),
  own: flag('`false` leaves out changes that this partner made itself.', false),
  ...requestParameters,
}

export type QueryName = keyof typeof parameters
export type QueryValues = ValuesOf<typeof parameters>

function toInteger(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : -1
  return number >= min && number <= max ? number : undefined
}

function toText(text: string): string | undefined {
  return text.trim() !== '' && text.length <= 255 && !text.includes('\0') ? text : undefined
}

function toCursor(text: string): string | undefined {
  return cursor.test(text) ? text : undefined
}

function toWord(text: string): string | undefined {
  return word.test(text) ? text : undefined
}

function toEventTypes(text: string): readonly EventType[] | undefined {
  const types = text.split(',').map((name) => eventTypes.find((type) => type === name))
  return types.every((type) => type !== undefined) ? types : undefined
}
