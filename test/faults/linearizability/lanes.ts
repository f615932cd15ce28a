import type { Violation } from '../../torture/harness.ts'
import type { Lane } from '../../torture/on-layouts.ts'
import { allRooms } from '../../torture/rooms.ts'
import { Unexpected } from './calls.ts'
import { isLinearizable, shortest } from './check.ts'
import type { History, Route } from './history.ts'
import { linesOf } from './print.ts'
import { type Asker, recordHistory } from './record.ts'

export interface RoomLanes {
  /** Opens the connections of one lane, each a client. */
  connect(): Asker[]
  /** The routes by which clients read. */
  routes: readonly Route[]
  recorded(history: History): void
}

/** Returns a function that opens a lane, which records histories of rooms and judges them. */
export function roomLanes({ connect, routes, recorded }: RoomLanes): () => Lane {
  const rooms = allRooms()
  let names = 0
  const newName = () => `s${++names}`
  return () => {
    const lines = connect()
    return {
      once: async (random) => {
        const place = rooms.shift()
        if (place === undefined) throw new Error('every room has a request without a response')
        try {
          const history = await recordHistory(lines, { place, routes, random, newName })
          recorded(history)
          // A request without a response may still take effect, so the room is not used again.
          if (history.operations.every(({ answer }) => answer !== undefined)) rooms.push(place)
          return judged(history)
        } catch (error) {
          if (!(error instanceof Unexpected)) throw error
          return { what: error.message, history: linesOf(error.history) }
        }
      },
      end: () => {
        for (const line of lines) line.cut()
      },
    }
  }
}

function judged(history: History): Violation | undefined {
  if (isLinearizable(history)) return undefined
  return { what: 'no order of the requests explains the responses', history: linesOf(shortest(history)) }
}
