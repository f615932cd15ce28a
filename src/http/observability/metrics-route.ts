import { Refusal } from '../../domain/refusal.ts'
import type { Db } from '../../storage/database.ts'
import { operatorOf } from '../cms/authenticate.ts'
import type { ServerDependencies } from '../dependencies.ts'
import type { ApiRequest, Route } from '../pipeline/request.ts'

const loopback = /^(127\.|::1$|::ffff:127\.)/

export function metricsRoute(dependencies: ServerDependencies): Route {
  const { registry, text } = dependencies.metrics
  const handle = async (request: ApiRequest) => {
    if (!isLocal(request) && !(await isOperator(request, dependencies.db))) {
      throw new Refusal(
        'metrics_not_allowed',
        'Metrics are served to this machine and to requests with an operator key.',
      )
    }
    const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
    return { status: 200, headers, body: Buffer.from(await text()) }
  }
  return { method: 'GET', path: '/metrics', handle }
}

/** Returns whether the caller is this machine. With a forwarding header, the caller is remote, behind a proxy. */
function isLocal({ headers, peer }: ApiRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && loopback.test(peer.remoteAddress ?? '')
}

async function isOperator({ method, headers, from, isEncrypted }: ApiRequest, db: Db): Promise<boolean> {
  if (headers.authorization === undefined) return false
  try {
    await operatorOf(db, { method, headers, address: from.remoteAddress, isEncrypted })
    return true
  } catch (error) {
    if (error instanceof Refusal && (error.code === 'key_invalid' || error.code === 'address_not_allowed')) return false
    throw error
  }
}
