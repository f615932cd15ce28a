import { type Duty, type Place, send } from './place.ts'

/** Less is not worth a new connection. */
const tolerated = 1

/** Tells a worker with more than its share of the connections: some took longer to take theirs, or began later. */
export function createBalancer(places: Place[]): Duty['listeners'][number] {
  return (place, message) => {
    if (message.kind !== 'connections') return
    place.connections = message.count
    place.isWatched = message.isWatched
    const counts = places.filter(({ worker }) => worker.isConnected()).flatMap(({ connections = [] }) => connections)
    const share = Math.ceil(counts.reduce((sum, count) => sum + count, 0) / counts.length)
    if (message.count > share + tolerated) send(place, { kind: 'surplus', count: message.count - share })
  }
}
