import { type Engine, migratedDatabase } from '../harness/databases.ts'
import { enginesFor } from '../torture/engines.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Wire } from '../torture/wire.ts'
import { ask, databaseWork, estate, type Pair, randomPair } from './existence/pairs.ts'
import { Differences, type DifferencesByKind } from './existence/timing.ts'

export const existence: Harness = {
  name: 'existence',
  promises: [9],
  title: 'nothing distinguishes hidden from absent',
  unit: 'pairs',
  target: 'the same bytes and queries; medians within 3 µs',
  counts: { planted: 25_000, test: 600, torture: 100_000 },
  planted: [
    {
      name: 'the facility is looked up before the grant',
      file: 'src/operations/access/lookup.ts',
      find: '  const access = permit(partner, externalId, need)\n',
      replace: '  await cache.facilities.find(externalId)\n  const access = permit(partner, externalId, need)\n',
    },
    {
      name: 'a hidden room is 403',
      file: 'src/operations/access/lookup.ts',
      find: 'cache.rooms.load(fullId, isVisible)',
      replace: `cache.rooms.load(fullId, (facility) => {
    if (!isVisible(facility)) throw hidden()
    return true
  })`,
    },
    {
      name: 'a hidden facility takes 20 µs longer',
      file: 'src/operations/access/lookup.ts',
      find: "  if (access === 'hidden') throw missingFacility(partner)\n",
      replace: `  if (access === 'hidden') {
    const untilMs = performance.now() + 0.02
    while (externalId === 'hidden' && performance.now() < untilMs);
    throw missingFacility(partner)
  }\n`,
    },
  ],
  run,
}

/** Requests of each kind over which the database's queries are counted. */
const pairsPerCount = 50

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const figures: Record<string, number> = { pairs: 0 }
  const engines = enginesFor({ build })
  const violations: Violation[] = []
  // Sequential: timing must not compete with other work.
  for (const [index, engine] of engines.entries()) {
    const done = () => {
      figures.pairs = (figures.pairs as number) + 1
      progress(figures.pairs)
    }
    const found = await onEngine(engine, {
      build,
      random: new Random(seed + index),
      count: count / engines.length,
      signal,
      done,
    })
    Object.assign(figures, found.figures)
    violations.push(...found.violations)
  }
  return { figures: { ...figures, wrong: violations.length }, violations }
}

interface Task {
  build: string
  random: Random
  count: number
  signal: AbortSignal
  done(): void
}

async function onEngine(engine: Engine, { build, ...task }: Task): Promise<Outcome> {
  const database = await migratedDatabase(engine)
  const tokens = await fill(database.url, estate)
  const node = await startNode(build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' } })
  const wire = new Wire(node.url)
  try {
    return await compare(wire, tokens.partner as string, engine, task)
  } finally {
    wire.close()
    await node.end()
    await database.drop()
  }
}

async function compare(
  wire: Wire,
  token: string,
  engine: Engine,
  { random, count, signal, done }: Omit<Task, 'build'>,
): Promise<Outcome> {
  const differences: DifferencesByKind = { facility: new Differences(), area: new Differences() }
  for (let asked = 0; asked < count && !signal.aborted; asked += pairsPerCount) {
    const pairs = Array.from({ length: pairsPerCount }, () => randomPair(token, random))
    for (const pair of pairs) {
      const { isHiddenFirst } = differences[pair.kind]
      const first = await ask(wire, isHiddenFirst ? pair.hidden : pair.absent)
      const second = await ask(wire, isHiddenFirst ? pair.absent : pair.hidden)
      if (first.bytes !== second.bytes) return violated(engine, 'other bytes', [pair.hidden, first.bytes, second.bytes])
      const tookNs = first.tookNs - second.tookNs
      differences[pair.kind].add(isHiddenFirst ? tookNs : -tookNs)
      done()
    }
    const { hidden, absent } = await workForBoth(wire, pairs)
    if (hidden !== absent) return violated(engine, 'other queries', [`hidden: ${hidden}`, `absent: ${absent}`])
  }
  return timed(engine, differences)
}

const countedAtMost = 20

/** Background jobs are counted too, so only a difference in every round is a violation. */
async function workForBoth(wire: Wire, pairs: Pair[]): Promise<{ hidden: number; absent: number }> {
  for (let counted = 1; ; counted++) {
    const hidden = await workFor(wire, pairs, 'hidden')
    const absent = await workFor(wire, pairs, 'absent')
    if (hidden === absent || counted === countedAtMost) return { hidden, absent }
  }
}

/** Returns the number of queries for one side of all pairs, with a warm cache. */
async function workFor(wire: Wire, pairs: Pair[], side: 'hidden' | 'absent'): Promise<number> {
  const before = await databaseWork(wire)
  for (const pair of pairs) await ask(wire, pair[side])
  return (await databaseWork(wire)) - before
}

function timed(engine: Engine, differences: DifferencesByKind): Outcome {
  const all = Object.entries(differences)
  const slow = all.find(([, { isTooLarge }]) => isTooLarge)
  return {
    figures: Object.fromEntries(all.map(([kind, { medianNs }]) => [`${engine} ${kind} difference (ns)`, medianNs])),
    violations: slow === undefined ? [] : violated(engine, `${slow[1].medianNs} ns between them`, [slow[0]]).violations,
  }
}

function violated(engine: Engine, what: string, history: string[]): Outcome {
  return { figures: {}, violations: [{ what: `(${engine}) hidden and absent: ${what}`, history }] }
}
