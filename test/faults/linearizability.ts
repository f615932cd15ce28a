import type { Harness, Violation } from '../torture/harness.ts'
import type { Installation } from '../torture/installation.ts'
import { Line } from '../torture/line.ts'
import { type Lane, onLayouts } from '../torture/on-layouts.ts'
import { allRooms } from '../torture/rooms.ts'
import { Unexpected } from './linearizability/calls.ts'
import { isLinearizable, shortest } from './linearizability/check.ts'
import type { History } from './linearizability/history.ts'
import { planted } from './linearizability/planted.ts'
import { linesOf } from './linearizability/print.ts'
import { recordHistory } from './linearizability/record.ts'

const clients = 8

export const linearizability: Harness = {
  name: 'linearizability',
  promises: [4],
  title: 'one room behaves like one object, for all callers, routes and nodes',
  unit: 'histories',
  target: '0 violations',
  counts: { planted: 3000, test: 1000, torture: 10_000 },
  planted,
  run: async (run) => {
    const figures = { histories: 0, operations: 0, unanswered: 0 }
    const { done, violations } = await onLayouts(run, (installation) =>
      lanesOn(installation, ({ operations }) => {
        figures.operations += operations.length
        figures.unanswered += operations.filter(({ answer }) => answer === undefined).length
      }),
    )
    return { figures: { ...figures, histories: done }, violations }
  },
}

function lanesOn(installation: Installation, recorded: (history: History) => void): () => Lane {
  const rooms = allRooms()
  let names = 0
  const newName = () => `s${++names}`
  return () => {
    const lines = connect(installation)
    return {
      once: async (random) => {
        const place = rooms.shift()
        if (place === undefined) throw new Error('every room has a request without a response')
        try {
          const history = await recordHistory(lines, place, random, newName)
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

/** Every other pair of clients sends requests that the fast path does not read. */
function connect({ nodes, tokens }: Installation): Line[] {
  return Array.from({ length: clients }, (_, n) => {
    const { url } = nodes[n % nodes.length] as { url: string }
    const headers = { Authorization: `Bearer ${tokens.all}` }
    return new Line(url, n % 4 < 2 ? headers : { ...headers, TE: 'trailers' })
  })
}

function judged(history: History): Violation | undefined {
  if (isLinearizable(history)) return undefined
  return { what: 'no order of the requests explains the responses', history: linesOf(shortest(history)) }
}
