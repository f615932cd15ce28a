import type { MetricsSnapshot } from '../../http/observability/metrics.ts'
import { type SlotContext, send, type WorkerSlot } from './worker-slot.ts'

/** How long a worker may take to report its metrics. If it takes longer, its last reported ones are used. */
const timeoutMs = 1000

/** Collects the metrics of all workers when a scrape of /metrics reaches one of them, and sends them to that one. */
export function createMetricsCollector(slots: WorkerSlot[]): SlotContext['listeners'][number] {
  let lastRequestId = 0
  const pending = new Map<string, (counted: MetricsSnapshot) => void>()

  const request = async (slot: WorkerSlot): Promise<MetricsSnapshot | undefined> => {
    if (!slot.worker.isConnected()) return slot.counted
    const requestId = ++lastRequestId
    const key = keyOf(slot, requestId)
    send(slot, { kind: 'report metrics', requestId })
    const reply = await new Promise<MetricsSnapshot | undefined>((resolve) => {
      const timeout = setTimeout(resolve, timeoutMs, undefined)
      pending.set(key, (counted) => {
        clearTimeout(timeout)
        resolve(counted)
      })
    })
    pending.delete(key)
    return reply ?? slot.counted
  }

  return async (slot, message) => {
    if (message.kind === 'collect metrics') {
      slot.counted = message.counted
      const others = await Promise.all(slots.filter((one) => one !== slot).map(request))
      const counted = others.filter((one) => one !== undefined)
      send(slot, { kind: 'collected metrics', requestId: message.requestId, counted })
    } else if (message.kind === 'metrics') {
      slot.counted = message.counted
      pending.get(keyOf(slot, message.requestId))?.(message.counted)
    }
  }
}

function keyOf({ worker }: WorkerSlot, requestId: number): string {
  return `${worker.id} ${requestId}`
}
