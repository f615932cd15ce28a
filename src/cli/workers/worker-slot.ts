import cluster, { type Worker } from 'node:cluster'
import type { MetricsSnapshot } from '../../http/observability/metrics.ts'
import { Failure } from '../failure.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { relayLines, type WriteLines } from './relay-lines.ts'

/** One of the N places for worker processes. After a crash, a new process takes it and continues its metrics. */
export interface WorkerSlot {
  worker: Worker
  startedAtMs: number
  /** Resolves to the URL of the worker once it accepts requests. */
  ready: Promise<string>
  /** Resolves when the process has ended, to how it ended, such as `exit code 1` or `SIGKILL`. */
  ended: Promise<string>
  connections?: number
  hasReadinessProbe?: boolean
  /** The metrics that the worker last reported. They include those of crashed workers that it replaced. */
  counted?: MetricsSnapshot
}

export interface SlotContext {
  listeners: ((slot: WorkerSlot, message: FromWorker) => void)[]
  write: WriteLines
}

/** Starts a worker process. It inherits the metrics of the crashed worker that it replaces, if any. */
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

/** Ignores `error` events after the start: they report messages that did not reach an exiting process. */
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
  // Handles the rejection in case no other code waits for the promise: an unhandled one would end the process.
  ready.catch(() => {})
  return ready
}

export function failureOf({ line, stack }: Extract<FromWorker, { kind: 'failed' }>): Failure {
  const failure = new Failure(line)
  if (stack !== undefined) failure.stack = stack
  return failure
}

export function send({ worker }: WorkerSlot, message: ToWorker): void {
  // The empty callback ignores the error if the worker exits before it gets the message.
  if (worker.isConnected()) worker.send(message, () => {})
}
