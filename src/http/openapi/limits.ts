import { readConfig } from '../../config.ts'

export const defaults = readConfig({})
export const defaultLimits = defaults.limits

const number = (value: number) => value.toLocaleString('en-US')

type Row = [what: string, limit: string, statusBeyond: string]

/** Returns the default limits of requests to `/v1`. The documents call a subscription by different nouns. */
export function limitRows(noun: 'service' | 'subscription'): Row[] {
  const limits = defaultLimits
  return [
    ['body', `${number(limits.bodyBytes)} bytes`, '413'],
    ['nesting of JSON', `${limits.jsonDepth} levels`, '400'],
    ['entries of an autocomplete list', number(limits.listEntries), '400'],
    [`${noun}s in one POST`, number(limits.postSubscriptions), '400'],
    [`${noun}s in one room`, number(limits.roomSubscriptions), '400'],
    [`all ${noun}s of one room`, `${number(limits.roomBytes)} bytes`, '400'],
    [
      'rooms in one call on many rooms, each counted for each of its operations',
      `${number(limits.bulkBytes)} bytes`,
      '400',
    ],
    [`one ${noun}`, `${number(limits.subscriptionBytes)} bytes`, '400'],
    ['path and headers', `${number(limits.headerBytes)} bytes`, '431'],
  ]
}
