import { type SlotContext, send, type WorkerSlot } from './worker-slot.ts'

/** How many connections above the average a worker may keep, because moving so few is not worth their reconnection. */
const toleratedExcess = 1

/** Keeps the connections of workers equal: in round-robin, a busy one accepts later, a restarted one has none. */
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
