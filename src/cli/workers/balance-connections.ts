import { type SlotContext, send, type WorkerSlot } from './worker-slot.ts'

/** How many connections above its share a worker may keep: fewer are not worth the cost of reconnecting. */
const toleratedExcess = 1

/**
 * Asks a worker with more than its share of the connections to close the excess. Round-robin alone does not keep the
 * shares equal: a worker that was busy accepts later, and one that was restarted begins with none.
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
