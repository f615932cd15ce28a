import type { Refusal } from '../../domain/refusal.ts'
import { problemOf } from './errors.ts'
import type { ApiResponse } from './request.ts'

export const problemType = 'application/problem+json; charset=utf-8'

export function problemResponse(refusal: Refusal, requestId: string): ApiResponse {
  const { status, headers, body } = problemOf(refusal, requestId)
  const shown = { ...headers, 'cache-control': 'no-store', 'content-type': problemType }
  return { status, headers: shown, body: Buffer.from(JSON.stringify(body)) }
}
