import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Arguments, figureNames } from '../arguments.ts'
import type { Databases, EngineName, MakeOptions } from '../estate/databases.ts'
import { writeEstateFile } from '../estate/file.ts'
import { postgresDatabases } from '../estate/postgres.ts'
import { benchEstate } from '../estate/shape.ts'
import { sqliteDatabases } from '../estate/sqlite.ts'
import type { Figure } from '../figure.ts'
import { atTheEnd } from '../processes.ts'
import type { Profile } from '../profile.ts'
import { showProgress } from '../progress.ts'
import { works } from '../work.ts'
import type { Context, Ground, Timing } from './context.ts'
import { isWanted, measureEngine } from './engine.ts'
import { measurePeers } from './peers.ts'

const make: Record<EngineName, (options: MakeOptions) => Promise<Databases>> = {
  sqlite: sqliteDatabases,
  postgres: postgresDatabases,
}

export interface Measured {
  figures: Figure[]
  profiles: Profile[]
  versions: Partial<Record<EngineName, string>>
}

/** Runs all selected measurements and yields each result when it is complete. */
export async function measureAll(args: Arguments, folder: string, measured: Measured): Promise<void> {
  const progress = showProgress(expectedSteps(args), secondsPerStep(args, timingOf(args, 'sqlite')))
  const large = estateIn(folder, args.scale)
  const small = isCompared(args) ? estateIn(join(folder, 'small'), 1) : undefined
  const gather: Pick<Context, 'add' | 'addProfiles'> = {
    add: (figure) => measured.figures.push(figure),
    addProfiles: (more) => measured.profiles.push(...more),
  }
  for (const engine of args.engines) {
    const about = { quick: args.quick, timing: timingOf(args, engine), say: progress.say, ...gather }
    const open = async ({ estate, estateFile, folder }: Estate): Promise<Ground> => {
      const databases = await make[engine]({ estate, estateFile, folder, say: progress.say })
      atTheEnd(databases.stop)
      return { context: { estate, databases, folder, ...about }, database: await databases.copy('served') }
    }
    const ground = await open(large)
    const smaller = small && (await open(small))
    const { context } = ground
    measured.versions[engine] = context.databases.version
    if (args.peers && engine === args.engines[0]) {
      await measurePeers(context, progress, (name) => isWanted(args, 'sqlite', name))
    }
    await measureEngine(ground, smaller, args, progress, large.estateFile)
    for (const one of [ground, smaller]) await one?.context.databases.stop()
  }
}

type Estate = Pick<MakeOptions, 'estate' | 'estateFile' | 'folder'>

/** Generated data is in a folder of its own. */
function estateIn(folder: string, scale: number): Estate {
  mkdirSync(folder, { recursive: true })
  const estate = benchEstate(scale)
  const file = join(folder, 'estate.json')
  let written: Promise<void> | undefined
  const estateFile = async () => {
    written ??= writeEstateFile(estate, file)
    await written
    return file
  }
  return { estate, estateFile, folder }
}

/** Work on a larger estate is compared with the same work at scale 1. */
function isCompared(args: Arguments): boolean {
  return args.scale > 1 && args.engines.some((engine) => works.some((work) => isWanted(args, engine, work)))
}

/** Number of steps per engine; peers add further ones. */
function expectedSteps(args: Arguments): number {
  return args.engines.flatMap((engine) => figureNames.filter((name) => isWanted(args, engine, name))).length
}

/** Reference before and after each round, and warm-up of both; twice if two estates alternate. */
function secondsPerStep(args: Arguments, { rounds, seconds, warmUpSeconds }: Timing): number {
  return ((rounds * 2 + 1) * (seconds + 0.5) + warmUpSeconds * 2) * (isCompared(args) ? 2 : 1)
}

function timingOf(args: Arguments, engine: EngineName): Timing {
  const quickRounds = engine === 'sqlite' ? 2 : 1
  const rounds = args.rounds ?? (args.quick ? quickRounds : 3)
  return {
    rounds,
    repeats: args.quick ? 0 : rounds,
    seconds: args.seconds ?? (args.quick ? 0.7 : 5),
    warmUpSeconds: args.quick ? 0.4 : 1,
  }
}
