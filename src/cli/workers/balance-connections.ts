import { type SlotContext, send, type WorkerSlot } from './worker-slot.ts'

/** How many connections above the average a worker may keep, because moving so few is not worth their reconnection. */
const toleratedExcess = 1

/**
 * Keeps the numbers of connections of all workers equal: asks a worker that has more than its share to close the
 * excess. `slots` has one entry per worker. Round-robin is not enough, as a busy worker accepts later and a restarted
 * one begins with none.
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
