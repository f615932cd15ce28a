import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Violation } from '../../torture/harness.ts'
import { runAtrium } from '../../torture/node.ts'
import type { Listener } from './listener.ts'
import type { Place } from './openings.ts'

const facilities = 15_000
const roomsOfEach = 20
const limitMs = 1000

/** Measures how long events take while long commands run, one after the other. */
export async function measure({ build, databaseUrl }: Place, listener: Listener) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-delays-'))
  const [large, small, backup] = ['large.json', 'small.json', 'backup.gz'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(large, JSON.stringify(estateOf(facilities)))
  await writeFile(small, JSON.stringify(estateOf(1)))
  const figures: Record<string, number> = {}
  const violations: Violation[] = []
  let events = 0
  try {
    for (const words of [
      ['apply', large],
      ['backup', backup],
      ['apply', '--prune', small],
    ]) {
      const command = words.slice(0, -1).join(' ')
      const running = { isOver: false }
      const ended = runAtrium(build, { ATRIUM_DATABASE: databaseUrl }, ...words).finally(() => {
        running.isOver = true
      })
      const tookMs: number[] = []
      while (!running.isOver) tookMs.push((await listener.change()).ms ?? Infinity)
      const { code, printed } = await ended
      if (code !== 0) throw new Error(`${command} failed: ${printed}`)
      const p99 = percentile(tookMs, 0.99)
      events += tookMs.length
      figures[`p99 beside ${command} (ms)`] = Math.round(p99)
      const history = [`${tookMs.length} events, the slowest ${Math.round(Math.max(...tookMs))} ms`]
      if (p99 >= limitMs) violations.push({ what: `p99 of events beside ${command}: ${Math.round(p99)} ms`, history })
    }
    return { events, figures, violations }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function estateOf(count: number) {
  const areas = Array.from({ length: roomsOfEach }, (_, n) => ({ id: `${n}`, name: `Room ${n}` }))
  const made = Array.from({ length: count }, (_, n) => ({ id_external: `large-${n}`, name: `Large ${n}`, areas }))
  return { facilities: [{ id_external: 'f' }, ...made], partners: [{ id: 'p' }, { id: 'last' }] }
}
