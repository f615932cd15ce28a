import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { type Installation, install, type Layout, layouts } from '../torture/installation.ts'
import { Line } from '../torture/line.ts'
import { Random } from '../torture/random.ts'
import { Unexpected } from './linearizability/calls.ts'
import { isLinearizable, shortest } from './linearizability/check.ts'
import type { History } from './linearizability/history.ts'
import { planted } from './linearizability/planted.ts'
import { linesOf } from './linearizability/print.ts'
import { recordHistory } from './linearizability/record.ts'
import { allRooms, estate } from './linearizability/rooms.ts'

const clients = 8
/** Rooms that are worked on at the same time. */
const lanes = 4

/** The first shows most of what can go wrong, so that a planted bug is caught before the others are started. */
const order: Layout[] = [layouts.twoNodes, layouts.alone, layouts.workers]

export const linearizability: Harness = {
  name: 'linearizability',
  promises: [4],
  title: 'one room behaves like one object, whoever asks, by whatever route, on whatever node',
  unit: 'histories',
  target: '0 violations',
  counts: { planted: 300, test: 1000, torture: 10_000 },
  planted,
  run: async (run) => {
    const outcome: Outcome = { figures: { histories: 0, operations: 0, unanswered: 0 }, violations: [] }
    for (const [at, layout] of order.entries()) {
      const upTo = Math.round((run.count * (at + 1)) / order.length)
      if (outcome.violations.length === 0 && !run.signal.aborted) await recordOn(layout, run, upTo, outcome)
    }
    return outcome
  },
}

async function recordOn(layout: Layout, run: Run, upTo: number, outcome: Outcome): Promise<void> {
  const { figures, violations } = outcome as { figures: Record<'histories', number>; violations: Violation[] }
  const installation = await install(run.build, layout, estate)
  const random = new Random(run.seed + upTo)
  const rooms = allRooms()
  let codes = 0
  let begun = figures.histories
  const newCode = () => `s${++codes}`
  const lane = async () => {
    const lines = connect(installation)
    while (begun < upTo && violations.length === 0 && !run.signal.aborted) {
      begun++
      const place = rooms.shift()
      if (place === undefined) throw new Error('every room has a request that was left alone')
      try {
        const history = await recordHistory(lines, place, random.branch(), newCode)
        judge(history, layout, outcome)
        // What was not answered may still happen: the room is not used again.
        if (history.operations.every(({ answer }) => answer !== undefined)) rooms.push(place)
      } catch (error) {
        if (!(error instanceof Unexpected)) throw error
        violations.push({ what: `${layout.name}: ${error.message}`, history: linesOf(error.history) })
      }
      run.progress(figures.histories)
    }
    for (const line of lines) line.cut()
  }
  try {
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    await installation.stop()
  }
}

/** Every other pair of clients sends what the fast way does not take. */
function connect({ nodes, tokens }: Installation): Line[] {
  return Array.from({ length: clients }, (_, n) => {
    const { url } = nodes[n % nodes.length] as { url: string }
    const headers = { Authorization: `Bearer ${tokens.all}` }
    return new Line(url, n % 4 < 2 ? headers : { ...headers, TE: 'trailers' })
  })
}

function judge(history: History, { name }: Layout, { figures, violations }: Outcome): void {
  const count = (what: string, more: number) => {
    figures[what] = (figures[what] ?? 0) + more
  }
  count('histories', 1)
  count('operations', history.operations.length)
  count('unanswered', history.operations.filter(({ answer }) => answer === undefined).length)
  if (isLinearizable(history)) return
  violations.push({ what: `${name}: no order explains what was answered`, history: linesOf(shortest(history)) })
}
