import type { Counted } from '../../http/observability/metrics.ts'
import { type Duty, type Place, send } from './place.ts'

/** A worker that is busy for so long is answered for with what it last said. */
const patienceMs = 1000

/** Passes the question of what was counted from the worker that was asked to the others, and their answers back. */
export function createGatherer(places: Place[]): Duty['listeners'][number] {
  let lastQuestion = 0
  const waiting = new Map<string, (counted: Counted) => void>()

  const ask = async (place: Place): Promise<Counted | undefined> => {
    if (!place.worker.isConnected()) return place.counted
    const question = ++lastQuestion
    const name = nameOf(place, question)
    send(place, { kind: 'count', question })
    const answer = await new Promise<Counted | undefined>((resolve) => {
      const overdue = setTimeout(resolve, patienceMs, undefined)
      waiting.set(name, (counted) => {
        clearTimeout(overdue)
        resolve(counted)
      })
    })
    waiting.delete(name)
    return answer ?? place.counted
  }

  return async (place, message) => {
    if (message.kind === 'gather') {
      place.counted = message.counted
      const others = await Promise.all(places.filter((one) => one !== place).map(ask))
      const counted = others.filter((one) => one !== undefined)
      send(place, { kind: 'gathered', question: message.question, counted })
    } else if (message.kind === 'counted') {
      place.counted = message.counted
      waiting.get(nameOf(place, message.question))?.(message.counted)
    }
  }
}

function nameOf({ worker }: Place, question: number): string {
  return `${worker.id} ${question}`
}
