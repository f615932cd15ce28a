import { type Engine, engines, migratedDatabase } from '../harness/databases.ts'
import { fill, storeContract } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Line } from '../torture/line.ts'
import { startNode } from '../torture/node.ts'
import { type Case, casesOf, estate, nastyContract } from './loop/cases.ts'
import { Watch } from './loop/watch.ts'
import { slowness } from './loop/yardstick.ts'

const longestMs = 50
const answerWithinMs = 60_000
/** Extra rounds when a block was too long in every round so far; fewer when it was far too long. */
const roundsMore = { doubtful: 4, clear: 1 }
const doubtfulMs = 5 * longestMs

export const loop: Harness = {
  name: 'loop',
  promises: [14],
  title: 'the loop stays free, whatever is legally asked',
  unit: 'rounds of the worst requests',
  target: 'no block over 50 ms',
  counts: { planted: 1, test: 2, torture: 60 },
  planted: [
    {
      name: 'contracts are checked in the loop',
      file: 'src/http/threads/body-parser.ts',
      find: 'if (body.length < largeBytes && !isLimited) return',
      replace: 'return',
    },
  ],
  run,
}

const slowest = 'machine at its slowest (times)'

/** Per case, the longest block of each round, scaled to a machine of ordinary speed. */
type Block = { case: Case; blocksMs: number[] }
type Blocks = Map<string, Block>

/** Returns the shortest: a delay by chance does not occur in every round. */
function sureMs({ blocksMs }: Block): number {
  return Math.round(Math.min(...blocksMs))
}

function tooLong(blocks: Blocks): Block[] {
  return [...blocks.values()].filter((block) => sureMs(block) > longestMs)
}

function roundsToBeSure(long: Block[]): number {
  if (long.length === 0) return 0
  return long.some((block) => sureMs(block) > doubtfulMs) ? roundsMore.clear : roundsMore.doubtful
}

async function run({ build, count, progress, signal }: Run): Promise<Outcome> {
  const figures = { rounds: 0, requests: 0, 'longest block (ms)': 0, [slowest]: 1 }
  const violations: Violation[] = []
  for (const engine of engines) {
    const blocks: Blocks = new Map()
    await using stage = await setUp(build, engine)
    const isEnough = (rounds: number) => rounds >= count / 2 + roundsToBeSure(tooLong(blocks))
    for (let round = 0; !isEnough(round) && !signal.aborted && violations.length === 0; round++) {
      for (const one of casesOf(round)) {
        if (violations.length > 0 || signal.aborted) break
        const slownessBefore = slowness()
        const status = await stage.ask(one)
        figures.requests++
        const takenMs = await stage.watch.longest()
        const slow = Math.max(slownessBefore, slowness())
        figures[slowest] = Math.max(figures[slowest], Math.round(slow * 10) / 10)
        const blockMs = takenMs / slow
        const known = blocks.get(one.name) ?? { case: one, blocksMs: [] }
        known.blocksMs.push(blockMs)
        blocks.set(one.name, known)
        if (status === undefined || (one.expects ?? status) !== status)
          violations.push({ what: `${status ?? 'no response'} to ${one.name} (${engine})`, history: [titleOf(one)] })
      }
      progress(++figures.rounds)
    }
    figures['longest block (ms)'] = Math.max(figures['longest block (ms)'], ...Array.from(blocks.values(), sureMs))
    for (const block of tooLong(blocks)) {
      const what = `${block.case.name} held the loop for ${sureMs(block)} ms (${engine})`
      violations.push({ what, history: [titleOf(block.case)] })
    }
    if (violations.length > 0) break
  }
  return { figures, violations }
}

function lastIdIn(text: string): string {
  const mark = '"id":"'
  const at = text.lastIndexOf(mark)
  return at === -1 ? '' : text.slice(at + mark.length, text.indexOf('"', at + mark.length))
}

function titleOf({ method, path, as, body }: Case): string {
  const length = body === undefined ? '' : `, ${JSON.stringify(body).length} characters`
  return `${method} ${path.slice(0, 100)} as ${as}${length}`
}

async function setUp(build: string, engine: Engine) {
  const database = await migratedDatabase(engine)
  const tokens = await fill(database.url, estate)
  await storeContract(database.url, 'nasty', nastyContract)
  const watch = new Watch()
  const settings = { ATRIUM_DATABASE: database.url, ...watch.settings }
  const node = await startNode(build, { settings, nodeFlags: watch.nodeFlags })
  const lines = Object.entries(tokens).map(([partner, token]) => {
    return [partner, new Line(node.url, { Authorization: `Bearer ${token}` })] as const
  })
  const lineOf = new Map(lines)
  // The last subscription in a response.
  let lastId = ''
  await watch.longest()
  return {
    watch,
    ask: async (one: Case): Promise<number | undefined> => {
      const line = lineOf.get(one.as)
      const timer = setTimeout(() => line?.cut(), answerWithinMs)
      const answer = await line?.ask({ ...one, path: one.path.replace('{last}', lastId) })
      clearTimeout(timer)
      if (one.path.endsWith('/data_services')) lastId = lastIdIn(answer?.text ?? '')
      return answer?.status
    },
    [Symbol.asyncDispose]: async () => {
      for (const line of lineOf.values()) line.cut()
      await node.end('SIGKILL')
      watch.close()
      await database.drop()
    },
  }
}
