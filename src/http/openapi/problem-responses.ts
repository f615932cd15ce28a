import type { RefusalCode } from '../../domain/refusal.ts'
import { meanings, publicCode } from '../pipeline/errors.ts'
import { type Plane, problemHeaders } from './headers.ts'
import { type Json, ref } from './json-schema.ts'
import { onPartnerPlane } from './refusals.ts'

const phrases: Record<number, string> = {
  400: 'Something in the request is not right.',
  401: 'Who is asking is not known.',
  403: 'Not allowed.',
  404: 'Not there, or not to be seen.',
  405: 'The path does not take this method.',
  408: 'The request did not arrive in time.',
  409: 'In the way of what is there already.',
  412: 'No longer as the caller believes. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The key was used with another body.',
  429: 'Too many requests.',
  431: 'Path and headers are too large.',
  500: 'Something went wrong inside.',
  503: 'Not available at the moment.',
}

/** Statuses whose response is the same on every route of `/v1`. */
const shared: Record<number, string> = {
  401: 'Unauthorized',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
}

/** One response for each status, with an example for each code that it can have. */
export function problemResponses(codes: RefusalCode[], plane: Plane): Json {
  const responses = [...byStatus(codes)].map(([status, some]) => {
    const name = plane === 'partner' && some.every((code) => onPartnerPlane.includes(code)) && shared[status]
    return [status, name ? ref('responses', name) : responseOf(status, some, plane)]
  })
  return Object.fromEntries(responses)
}

export function responseComponents(): Json {
  const responses = [...byStatus(onPartnerPlane)].flatMap(([status, codes]) => {
    const name = shared[status]
    return name === undefined ? [] : [[name, responseOf(status, codes, 'partner')]]
  })
  return Object.fromEntries(responses)
}

function byStatus(codes: RefusalCode[]): Map<number, RefusalCode[]> {
  return Map.groupBy(new Set(codes), (code) => meanings[code].status)
}

function responseOf(status: number, codes: RefusalCode[], plane: Plane): Json {
  const list = codes.map((code) => `\`${publicCode(code)}\``).join(', ')
  return {
    description: `${phrases[status]} ${codes.length === 1 ? 'Code' : 'Codes'}: ${list}.`,
    headers: problemHeaders(status, codes, plane),
    content: {
      'application/problem+json': {
        schema: ref('schemas', 'Problem'),
        examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
      },
    },
  }
}
