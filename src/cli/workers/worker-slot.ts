import cluster, { type Worker } from 'node:cluster'
import type { MetricsSnapshot } from '../../http/observability/metrics.ts'
import { Failure } from '../failure.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { relayLines, type WriteLines } from './relay-lines.ts'

/** One of the N workers of the pool; a restart replaces the process and keeps the index and the metrics. */
export interface WorkerSlot {
  worker: Worker
  startedAtMs: number
  /** Resolves to the URL of the worker once it accepts requests. */
  ready: Promise<string>
  /** Resolves when the process has ended, to the reason in words, such as `exit code 1` or `SIGKILL`. */
  ended: Promise<string>
  /** The last reported number of connections. */
  connections?: number
  /** Whether a load balancer probes the readiness of the worker. */
  hasReadinessProbe?: boolean
  /** The last reported metrics, those of its predecessors included. */
  counted?: MetricsSnapshot
}

export interface SlotContext {
  listeners: ((slot: WorkerSlot, message: FromWorker) => void)[]
  /** Writes the log lines of the worker. */
  write: WriteLines
}

/** Starts a worker, which inherits the metrics of its predecessor in the slot, if there was one. */
export function startWorker(
  { counted }: Pick<WorkerSlot, 'counted'>,
  env: Record<string, string>,
  context: SlotContext,
): WorkerSlot {
  const worker = cluster.fork(env)
  const ended = endOf(worker)
  const ready = readiness(worker, ended)
  const slot: WorkerSlot = { worker, startedAtMs: performance.now(), ready, ended, ...(counted && { counted }) }
  for (const listen of context.listeners) worker.on('message', (message: FromWorker) => listen(slot, message))
  if (worker.process.stdout) relayLines(worker.process.stdout, process.stdout, context.write)
  if (counted) send(slot, { kind: 'inherit metrics', counted })
  return slot
}

/**
 * Resolves when the process has ended. An `error` event ends only a process that could not be spawned; later ones are
 * failed messages to an exiting one.
 */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    worker.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (worker.process.pid === undefined) resolve(`it could not be started: ${code}`)
    })
  })
}

function readiness(worker: Worker, ended: Promise<string>): Promise<string> {
  const ready = new Promise<string>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve(message.url)
      if (message.kind === 'failed') reject(failureOf(message))
    })
    void ended.then((how) => reject(new Failure(`a worker ended before it was ready (${how})`)))
  })
  // Avoids an unhandled rejection while no caller awaits the promise.
  ready.catch(() => {})
  return ready
}

export function failureOf({ line, stack }: Extract<FromWorker, { kind: 'failed' }>): Failure {
  const failure = new Failure(line)
  if (stack !== undefined) failure.stack = stack
  return failure
}

export function send({ worker }: WorkerSlot, message: ToWorker): void {
  // Messages to a worker that is exiting are dropped.
  if (worker.isConnected()) worker.send(message, () => {})
}
