import { type SlotContext, send, type WorkerSlot } from './worker-slot.ts'

/** How many connections above the average a worker may have. To move so few is not worth their reconnection. */
const toleratedExcess = 1

/**
 * Asks workers that have more connections than the average to close some. Round-robin alone does not keep them equal: a
 * busy worker accepts fewer, and a restarted one begins with none.
 */
export function createBalancer(slots: WorkerSlot[]): SlotContext['listeners'][number] {
  return (slot, message) => {
    if (message.kind !== 'connections') return
    slot.connections = message.count
    slot.hasReadinessProbe = message.hasReadinessProbe
    const counts = slots.filter(({ worker }) => worker.isConnected()).flatMap(({ connections = [] }) => connections)
    const share = Math.ceil(counts.reduce((sum, count) => sum + count, 0) / counts.length)
    if (message.count > share + toleratedExcess) send(slot, { kind: 'surplus', count: message.count - share })
  }
}
