import type { Harness } from '../torture/harness.ts'
import type { Installation } from '../torture/installation.ts'
import { Line } from '../torture/line.ts'
import { onLayouts } from '../torture/on-layouts.ts'
import { type History, partnerRoutes } from './linearizability/history.ts'
import { roomLanes } from './linearizability/lanes.ts'
import { planted } from './linearizability/planted.ts'

const clients = 8

export const linearizability: Harness = {
  name: 'linearizability',
  promises: [4],
  title: 'one room behaves like one object, for all callers, routes and nodes',
  unit: 'histories',
  target: '0 violations',
  counts: { planted: 3000, test: 300, torture: 10_000 },
  planted,
  run: async (run) => {
    const figures = { histories: 0, operations: 0, unanswered: 0 }
    const recorded = ({ operations }: History) => {
      figures.operations += operations.length
      figures.unanswered += operations.filter(({ answer }) => answer === undefined).length
    }
    const { done, violations } = await onLayouts(run, (installation) =>
      roomLanes({ connect: () => connect(installation), routes: partnerRoutes, recorded }),
    )
    return { figures: { ...figures, histories: done }, violations }
  },
}

/** Every other pair of clients sends requests that the fast path does not read. */
function connect({ nodes, tokens }: Installation): Line[] {
  return Array.from({ length: clients }, (_, n) => {
    const { url } = nodes[n % nodes.length] as { url: string }
    const headers = { Authorization: `Bearer ${tokens.all}` }
    return new Line(url, n % 4 < 2 ? headers : { ...headers, TE: 'trailers' })
  })
}
