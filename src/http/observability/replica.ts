import type { EngineOptions } from '../../storage/engine.ts'
import { errorMembers, type Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export function observeReplica(
  { replicaReads }: Metrics,
  log: Log,
): Required<Pick<EngineOptions, 'onReplicaRead' | 'onReplicaChange'>> {
  return {
    onReplicaRead: (read) =>
      replicaReads.inc(read === 'replica' ? { server: read, reason: 'none' } : { server: 'primary', reason: read }),
    onReplicaChange: ({ server, isUsed, reason }) => {
      if (isUsed) log.info({ server }, 'reads use the replica')
      else log.warn({ server, reason: errorMembers(reason ?? {}) }, 'reads do not use the replica')
    },
  }
}
