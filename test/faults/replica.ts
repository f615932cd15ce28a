import type { Harness, Planted, Violation } from '../torture/harness.ts'
import type { Installation } from '../torture/installation.ts'
import { layouts } from '../torture/installation.ts'
import { Line, type LineAnswer, type LineRequest } from '../torture/line.ts'
import { onLayouts } from '../torture/on-layouts.ts'
import { operatorKey } from '../torture/standby-database.ts'
import type { Route } from './linearizability/history.ts'
import { roomLanes } from './linearizability/lanes.ts'

const file = 'src/storage/postgres/replica/replica.ts'

const planted: Planted[] = [
  {
    name: 'a standby is used whatever it has replayed',
    file,
    find: '    return state.has_replayed\n',
    replace: '    return true\n',
  },
  {
    name: 'a standby is used that shows more than the primary',
    file,
    find: '      await this.#visibleOnPrimary(tx, snapshot, position)\n',
    replace: '',
  },
]

/** The console's list of rooms, which the standby may serve, and two routes that the primary serves. */
const routes: Route[] = ['console', 'console', 'area', 'services']
const clients = 8

export const replica: Harness = {
  name: 'replica',
  promises: [4],
  title: 'a room behaves like one object also when a standby serves some of the reads',
  unit: 'histories',
  target: '0 violations',
  counts: { planted: 2000, test: 60, torture: 2000 },
  planted,
  run: async (run) => {
    const counts = { histories: 0, operations: 0, 'on the standby': 0, 'on the primary': 0 }
    const { done, violations } = await onLayouts(
      run,
      async (installation) => {
        const key = await operatorKey(installation.databaseUrl)
        const open = roomLanes({
          routes,
          connect: () => connect(installation, key),
          recorded: ({ operations }) => {
            counts.operations += operations.length
          },
        })
        return { open, end: () => addReads(counts, installation) }
      },
      [layouts.standby],
    )
    counts.histories = done
    return { figures: counts, violations: [...violations, ...unused(counts)] }
  },
}

/** A client of the partner API and of the CMS API, with a connection to each. */
class BothApis {
  readonly #partner: Line
  readonly #cms: Line

  constructor(url: string, token: string, key: string) {
    this.#partner = new Line(url, { Authorization: `Bearer ${token}` })
    this.#cms = new Line(url, { Authorization: `Bearer ${key}` })
  }

  ask(request: LineRequest): Promise<LineAnswer | undefined> {
    return (request.path.startsWith('/cms/') ? this.#cms : this.#partner).ask(request)
  }

  cut(): void {
    this.#partner.cut()
    this.#cms.cut()
  }
}

function connect({ nodes, tokens }: Installation, key: string): BothApis[] {
  return Array.from({ length: clients }, (_, n) => {
    const { url } = nodes[n % nodes.length] as { url: string }
    return new BothApis(url, tokens.all as string, key)
  })
}

const counted = /^atrium_replica_reads_total\{server="(replica|primary)",[^}]*\} (\d+)$/gm

async function addReads(counts: Record<string, number>, { nodes }: Installation): Promise<void> {
  for (const { url } of nodes) {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const [, server, count] of text.matchAll(counted)) {
      const name = server === 'replica' ? 'on the standby' : 'on the primary'
      counts[name] = (counts[name] ?? 0) + Number(count)
    }
  }
}

/** A run in which the standby served nothing would prove nothing. */
function unused(counts: Record<string, number>): Violation[] {
  return counts['on the standby'] === 0 ? [{ what: 'no read used the standby', history: [] }] : []
}
