import { Refusal } from '../../domain/refusal.ts'
import { isReachable } from '../../operations/health.ts'
import type { Db } from '../../storage/database.ts'
import type { Draining } from '../draining.ts'
import { jsonResponse, type Route } from '../pipeline/request.ts'
import type { Startup } from '../startup.ts'

export const probePaths = ['/healthz', '/readyz']

export function healthRoutes(db: Db, draining: Draining, startup: Startup): Route[] {
  const readiness = async () => {
    draining.recordProbe()
    if (draining.begun) throw notReady('This node is stopping.')
    if (startup.waitsFor !== undefined) throw notReady(`This node is starting and waits for ${startup.waitsFor}.`)
    if (!(await isReachable(db))) throw notReady('The database cannot be reached.')
    return jsonResponse({ status: 'ready' })
  }
  return [
    { method: 'GET', path: '/healthz', handle: () => jsonResponse({ status: 'ok' }) },
    { method: 'GET', path: '/readyz', handle: readiness },
  ]
}

function notReady(detail: string): Refusal {
  return new Refusal('not_ready', detail, { retryAfterSeconds: 1 })
}
