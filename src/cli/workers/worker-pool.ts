import cluster from 'node:cluster'
import { fstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { explain } from '../failure.ts'
import type { DemoNotice } from '../lifecycle.ts'
import { createBalancer } from './balance-connections.ts'
import { createMetricsCollector } from './collect-metrics.ts'
import { lineWriter, type WriteLines } from './relay-lines.ts'
import { failureOf, type SlotContext, send, startWorker, type WorkerSlot } from './worker-slot.ts'

const minBackoffMs = 200
const maxBackoffMs = 30_000
/** A worker that has run for this long counts as stable: after its next crash, the backoff starts at the minimum. */
const stableAfterMs = 60_000
/** How long a worker may take to stop, after the drain time. Longer than its own limit for pending responses. */
const stopTimeoutMs = 9000

/** The worker processes of `serve --workers N`. Crashed ones are restarted with exponential backoff. */
interface WorkerPool {
  /** Resolves to the URL when every worker accepts requests. Rejects if one fails to start. */
  start(): Promise<string>
  loadDemo(): Promise<DemoNotice>
  restartCrashed(url: string): void
  stop(): Promise<void>
}

export async function createWorkerPool(config: Config): Promise<WorkerPool> {
  // Uses round-robin: if the kernel distributed connections, most would go to whichever worker is awake.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ stdio: ['ignore', canShare(process.stdout.fd) ? 'inherit' : 'pipe', 'inherit', 'ipc'] })
  const slots: WorkerSlot[] = []
  const listeners = [createMetricsCollector(slots), createBalancer(slots)]
  const context: SlotContext = { listeners, write: await lineWriter(process.stdout) }
  const stopping = new AbortController()
  return {
    start: async () => {
      for (let n = 0; n < config.workers; n++) slots.push(startWorker({}, {}, context))
      const [url = ''] = await Promise.all(slots.map(({ ready }) => ready))
      return url
    },
    loadDemo: () => loadDemo(slots[0] as WorkerSlot),
    restartCrashed: (url) => {
      const restart = restarter(url, slots, context)
      const logCrash = crashLogger(config, context.write)
      slots.forEach((_, index) => void keepRunning(slots, index, restart, logCrash, stopping.signal))
    },
    stop: async () => {
      stopping.abort()
      const hasReadinessProbe = slots.some((slot) => slot.hasReadinessProbe)
      const timeoutMs = stopTimeoutMs + config.drainSeconds * 1000
      await Promise.all(slots.map((slot) => stop(slot, hasReadinessProbe, timeoutMs)))
    },
  }
}

/** Several processes can append whole lines to one file, but in a pipe their lines could mix. */
function canShare(fd: number): boolean {
  return fstatSync(fd).isFile()
}

function loadDemo(slot: WorkerSlot): Promise<DemoNotice> {
  send(slot, { kind: 'load demo' })
  return new Promise((resolve, reject) => {
    slot.worker.on('message', (message) => {
      if (message.kind === 'demo') resolve(message.notice)
      if (message.kind === 'failed') reject(failureOf(message))
    })
    void slot.ended.then((how) => reject(new Error(`the worker that loads the demo ended (${how})`)))
  })
}

async function stop(slot: WorkerSlot, hasReadinessProbe: boolean, timeoutMs: number): Promise<void> {
  send(slot, { kind: 'stop', hasReadinessProbe })
  const timeout = setTimeout(() => slot.worker.process.kill('SIGKILL'), timeoutMs)
  await slot.ended
  clearTimeout(timeout)
}

type Restart = (crashed: WorkerSlot) => WorkerSlot

/**
 * With ATRIUM_PORT=0, the workers share a port that the system chose, and that it frees when all of them have ended. A
 * worker that then starts gets the port's number as a setting, so that the URL stays the same.
 */
function restarter(url: string, slots: WorkerSlot[], context: SlotContext): Restart {
  let port: Record<string, string> = {}
  return (crashed) => {
    if (slots.every(({ worker }) => worker.isDead())) port = { ATRIUM_PORT: portOf(url) }
    const slot = startWorker(crashed, port, context)
    slot.ready.then((own) => own !== url && slot.worker.process.kill('SIGKILL')).catch(() => {})
    return slot
  }
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port || (protocol === 'https:' ? '443' : '80')
}

type LogCrash = (slot: WorkerSlot, backoffMs: number) => Promise<void>

function crashLogger(config: Config, write: WriteLines): LogCrash {
  return async (slot, backoffMs) => {
    const { createLog } = await import('../../http/observability/log.ts')
    const log = createLog(config.log, { write: (line) => void write(Buffer.from(line)) })
    const fault = await slot.ready.then(() => undefined, explain)
    const about = { pid: slot.worker.process.pid, ended: await slot.ended, fault, pause_ms: backoffMs }
    log.error(about, 'a worker ended and is started again')
  }
}

/** Restarts the worker of one slot after each crash, with exponential backoff, until the pool is stopped. */
async function keepRunning(
  slots: WorkerSlot[],
  index: number,
  restart: Restart,
  logCrash: LogCrash,
  stopping: AbortSignal,
): Promise<void> {
  for (let backoffMs = minBackoffMs; ; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
    const slot = slots[index] as WorkerSlot
    await slot.ended
    if (performance.now() - slot.startedAtMs > stableAfterMs) backoffMs = minBackoffMs
    if (stopping.aborted) return
    await logCrash(slot, backoffMs)
    await sleep(backoffMs, undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) return
    slots[index] = restart(slot)
  }
}
