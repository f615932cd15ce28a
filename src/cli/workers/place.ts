import cluster, { type Worker } from 'node:cluster'
import type { Counted } from '../../http/observability/metrics.ts'
import { Failure } from '../failure.ts'
import { relayLines, type WriteLines } from './lines.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** One of the N; the workers that fill it come and go. */
export interface Place {
  worker: Worker
  startedAtMs: number
  /** Its URL, once it can answer. */
  ready: Promise<string>
  /** How it ended, in words. */
  ended: Promise<string>
  /** How many it has, once it has said so. */
  connections?: number
  /** A balancer asks it whether it is ready. */
  isWatched?: boolean
  /** What its workers had counted when they were last asked. */
  counted?: Counted
}

export interface Duty {
  listeners: ((place: Place, message: FromWorker) => void)[]
  /** Where the lines of the log go. */
  write: WriteLines
}

/** Starts a worker in a new place, or in one whose worker has ended. */
export function fill({ counted }: Pick<Place, 'counted'>, env: Record<string, string>, duty: Duty): Place {
  const worker = cluster.fork(env)
  const ended = endOf(worker)
  const ready = readiness(worker, ended)
  const place: Place = { worker, startedAtMs: performance.now(), ready, ended, ...(counted && { counted }) }
  for (const listen of duty.listeners) worker.on('message', (message: FromWorker) => listen(place, message))
  if (worker.process.stdout) relayLines(worker.process.stdout, process.stdout, duty.write)
  if (counted) send(place, { kind: 'inherit', counted })
  return place
}

/** An error is the end only of a process that could not be started; others are those of messages to one that is ending. */
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
  // Whoever waits for it is told; it may be nobody.
  ready.catch(() => {})
  return ready
}

export function failureOf({ line, stack }: Extract<FromWorker, { kind: 'failed' }>): Failure {
  const failure = new Failure(line)
  if (stack !== undefined) failure.stack = stack
  return failure
}

export function send({ worker }: Place, message: ToWorker): void {
  // One that is just ending cannot be told, and need not be.
  if (worker.isConnected()) worker.send(message, () => {})
}
