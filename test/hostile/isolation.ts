import { enginesFor } from '../torture/engines.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { askCells } from './isolation/against-oracle.ts'
import { openScene, type Stage, setStage } from './isolation/scene.ts'
import { comparePairs } from './isolation/two-databases.ts'
import { randomWorld, type World } from './isolation/world.ts'

const facilityFile = 'src/domain/facility.ts'

export const isolation: Harness = {
  name: 'isolation',
  promises: [9],
  title: 'partners are apart',
  unit: 'cells',
  target: '0 wrong',
  counts: { planted: 5000, test: 500, torture: 60_000 },
  planted: [
    {
      name: 'a field that is not granted is shown',
      file: facilityFile,
      find: "...granted('address', { address: facility.address }),",
      replace: 'address: facility.address,',
    },
    {
      name: 'a count that is not granted is shown',
      file: facilityFile,
      find: "...granted('areas', { areas_count: counts.areas }),",
      replace: 'areas_count: counts.areas,',
    },
    {
      name: 'the list of facilities ignores the grants',
      file: 'src/storage/facility.ts',
      find: 'every ? rendered(ask, everySummary) : rendered(ask, grantedSummaries, partner)',
      replace: 'rendered(ask, everySummary)',
    },
    {
      name: 'a facility that does not exist is 404 for all',
      file: 'src/operations/access/lookup.ts',
      find: "if (access === 'hidden') throw missingFacility(partner)",
      replace:
        "if (access === 'hidden') throw (await cache.facilities.find(externalId)) ? hidden() : new Refusal('facility_not_found', '')",
    },
    {
      name: "one partner's response is cached for all",
      file: 'src/operations/access/cached-read.ts',
      find: "return kind === 'facility' ? String(readMask) : ''",
      replace: "return kind === 'facility' && readMask < 0 ? String(readMask) : ''",
    },
  ],
  run,
}

/** In each episode a fifth of the requests compare two databases, the others compare one with the oracle. */
const episodeCells = 1250

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const engines = enginesFor({ build })
  const figures = { cells: 0, pairs: 0, wrong: 0 }
  const work = engines.map(async (engine, index): Promise<Violation[]> => {
    const random = new Random(seed + index)
    const world = randomWorld(random)
    const stage = await setStage(engine, world)
    const share = Math.ceil(count / engines.length)
    const done = (kind: 'cells' | 'pairs') => () => {
      figures[kind]++
      progress(figures.cells + figures.pairs)
    }
    try {
      for (let left = share; left > 0 && !signal.aborted; left -= episodeCells) {
        const episode = { build, stage, world, random, count: Math.min(left, episodeCells), signal, done }
        const wrong = await play(episode)
        if (wrong !== undefined) return [wrong]
      }
      return []
    } finally {
      await stage.database.drop()
    }
  })
  const violations = (await Promise.all(work)).flat()
  return { figures: { ...figures, wrong: violations.length }, violations }
}

interface Episode {
  build: string
  stage: Stage
  world: World
  random: Random
  count: number
  signal: AbortSignal
  done(kind: 'cells' | 'pairs'): () => void
}

async function play({ build, stage, world, random, count, signal, done }: Episode): Promise<Violation | undefined> {
  const copy = await stage.database.copy()
  const scenes = await Promise.all([openScene(build, stage), openScene(build, { ...stage, database: copy })])
  const pairs = Math.floor(count / 5)
  try {
    return (
      (await comparePairs(scenes, world, random, { count: pairs, done: done('pairs'), signal })) ??
      (await askCells(scenes[0], world, random, { count: count - pairs, done: done('cells'), signal }))
    )
  } finally {
    await Promise.all(scenes.map((scene) => scene.end()))
    await copy.drop()
  }
}
