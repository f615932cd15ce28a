import type { Refusal } from '../../domain/refusal.ts'
import { problemOf } from './errors.ts'
import type { ApiResponse } from './request.ts'

export const problemType = 'application/problem+json'

export function problemResponse(refusal: Refusal, requestId: string): ApiResponse {
  const { status, headers, body } = problemOf(refusal, requestId)
  const all = { ...headers, 'cache-control': 'no-store', 'content-type': `${problemType}; charset=utf-8` }
  return { status, headers: all, body: Buffer.from(JSON.stringify(body)) }
}
