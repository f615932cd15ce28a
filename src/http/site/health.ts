import { Refusal } from '../../domain/refusal.ts'
import { isReachable } from '../../operations/health.ts'
import type { Db } from '../../storage/database.ts'
import type { Draining } from '../draining.ts'
import { jsonResponse, type Route } from '../pipeline/request.ts'

export const probePaths = ['/healthz', '/readyz']

export function healthRoutes(db: Db, draining: Draining): Route[] {
  const readiness = async () => {
    draining.recordProbe()
    if (draining.begun || !(await isReachable(db))) {
      throw new Refusal('not_ready', draining.begun ? 'This node is stopping.' : 'The database cannot be reached.', {
        retryAfterSeconds: 1,
      })
    }
    return jsonResponse({ status: 'ready' })
  }
  return [
    { method: 'GET', path: '/healthz', handle: () => jsonResponse({ status: 'ok' }) },
    { method: 'GET', path: '/readyz', handle: readiness },
  ]
}
