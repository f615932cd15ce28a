import type { Engine, EngineOptions } from '../engine.ts'
import type { Statement, Value } from '../statement.ts'
import { changePoller, stableOffsetTracker } from './audit-log.ts'
import { isConflict, isUnavailable } from './errors.ts'
import { groupCommit, maxBatches } from './group-commit.ts'
import { inspect } from './inspect.ts'
import { PinnedConnection, Pool } from './pool.ts'
import { Primary } from './primary.ts'
import { QueryBatcher } from './query-batcher.ts'
import { Replica } from './replica/replica.ts'
import { inTransaction } from './transaction.ts'

const lockTimeoutMs = 5000
const vacuumTimeoutMs = 600_000
/** Removes deleted guest data from the files. Skips tables that are locked, such as by the vacuum of another node. */
const vacuum = 'vacuum (skip_locked, truncate off) area, idempotency_key'

const defaultConnections = 22
const beginRead = ['begin isolation level repeatable read read only']
const beginCommands = { full: ['begin'], relaxed: ['begin', 'set local synchronous_commit to off'] }

export function openPostgres(url: string, options: EngineOptions): Engine {
  const { responseTimeoutMs = Infinity, maxConnections = defaultConnections, onServerChange } = options
  const primary = new Primary(url, onServerChange)
  // Makes the server end a transaction whose node has vanished, so that the row locks of that transaction are released.
  const timeouts = {
    ...(responseTimeoutMs < Infinity && { idle_in_transaction_session_timeout: String(responseTimeoutMs) }),
  }
  const writeTimeouts = { lock_timeout: String(lockTimeoutMs), ...timeouts }
  // Reads, writes and batches have separate pools: writers that wait for row locks cannot take all connections.
  const unbatched = maxConnections - maxBatches
  const readers = new Pool(primary, Math.ceil(unbatched / 2), timeouts)
  const writers = new Pool(primary, Math.floor(unbatched / 2), writeTimeouts)
  const batches = new Pool(primary, maxBatches, writeTimeouts)
  const polling = new PinnedConnection(readers, primary)
  const poll = changePoller()
  const queries = new QueryBatcher(readers, responseTimeoutMs)
  const ask = <Row>(statement: Statement<Row>, ...values: Value[]) => queries.run<Row>(statement, values)
  const timeoutMs = responseTimeoutMs + lockTimeoutMs
  const write: Engine['write'] = (work, durability) =>
    inTransaction(writers, timeoutMs, beginCommands[durability], work)
  const read: Engine['read'] = (work) => inTransaction(readers, timeoutMs, beginRead, work)
  const replica = replicaFor(options, { readers, responseTimeoutMs, timeoutMs })
  return {
    systemName: 'postgresql',
    read,
    readFromReplica: (work) => (replica === undefined ? read(work) : replica.read(work, read)),
    write,
    writeInBatch: groupCommit(batches, timeoutMs, (work) =>
      inTransaction(writers, timeoutMs, beginCommands.full, work),
    ),
    ask,
    pollChanges: () => polling.use(responseTimeoutMs, poll),
    stableOffset: stableOffsetTracker(ask, () => primary.generation),
    erase: () => writers.use(vacuumTimeoutMs, (connection) => connection.query(vacuum)).then(() => true),
    isConflict,
    isUnavailable,
    inspect: async () => [...(await readers.use(Infinity, inspect)), ...((await replica?.inspect()) ?? [])],
    close: async () => {
      primary.close()
      await polling.close()
      await Promise.all([readers, writers, batches, replica].map((pool) => pool?.close()))
    },
  }
}

interface ReadSettings {
  readers: Pool
  responseTimeoutMs: number
  timeoutMs: number
}

function replicaFor(options: EngineOptions, { readers, responseTimeoutMs, timeoutMs }: ReadSettings) {
  const { replica: url, onReplicaRead, onReplicaChange } = options
  if (url === undefined) return undefined
  return new Replica(url, {
    onReplicaRead,
    onReplicaChange,
    askPrimary: (work) => readers.use(responseTimeoutMs, work),
    timeoutMs,
  })
}
