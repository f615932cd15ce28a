import type { RefusalCode } from '../../domain/refusal.ts'
import { meanings, publicCode } from '../pipeline/errors.ts'
import { problemType } from '../pipeline/problem.ts'
import { type ApiName, problemHeaders } from './headers.ts'
import { type Json, ref } from './json-schema.ts'

const phrases: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'The credentials are missing or not valid.',
  403: 'Not allowed.',
  404: 'Does not exist, or the caller cannot see it.',
  405: 'The path does not take this method.',
  408: 'The request did not arrive in time.',
  409: 'In conflict with the current state. Nothing was changed.',
  410: 'No longer there.',
  412: 'A precondition does not hold. Nothing was changed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'Understood, but cannot be carried out. Nothing was changed.',
  429: 'Too many requests.',
  431: 'Path and headers are too large.',
  500: 'An internal error.',
  503: 'Temporarily not available.',
}

export function problemResponses(codes: RefusalCode[], api: ApiName): Record<string, Json> {
  const byStatus = Map.groupBy(new Set(codes), (code) => meanings[code].status)
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, responseOf(status, some, api)]))
}

function responseOf(status: number, codes: RefusalCode[], api: ApiName): Json {
  const list = codes.map((code) => `\`${publicCode(code)}\``).join(', ')
  return {
    description: `${phrases[status]} ${codes.length === 1 ? 'Code' : 'Codes'}: ${list}.`,
    headers: problemHeaders(status, codes, api),
    content: {
      [problemType]: {
        schema: ref('schemas', 'Problem'),
        examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
      },
    },
  }
}
