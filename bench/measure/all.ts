import { join } from 'node:path'
import { type Arguments, figureNames } from '../arguments.ts'
import type { Databases, EngineName, MakeOptions } from '../estate/databases.ts'
import { writeEstateFile } from '../estate/file.ts'
import { postgresDatabases } from '../estate/postgres.ts'
import { benchEstate } from '../estate/shape.ts'
import { sqliteDatabases } from '../estate/sqlite.ts'
import { atTheEnd } from '../processes.ts'
import { showProgress } from '../progress.ts'
import type { Context, Timing } from './context.ts'
import { isWanted, measureEngine } from './engine.ts'
import { measurePeers } from './peers.ts'

const make: Record<EngineName, (options: MakeOptions) => Promise<Databases>> = {
  sqlite: sqliteDatabases,
  postgres: postgresDatabases,
}

export type Gathering = Pick<Context, 'add' | 'addProfiles'>

export interface Versions {
  sqlite?: string
  postgres?: string
}

/** Everything that was asked for; `add` gets each figure as it is done. */
export async function measureAll(args: Arguments, folder: string, gather: Gathering): Promise<Versions> {
  const estate = benchEstate(args.scale)
  const progress = showProgress(expectedSteps(args), secondsPerStep(timingOf(args, 'sqlite')))
  const file = join(folder, 'estate.json')
  let written: Promise<void> | undefined
  const estateFile = async () => {
    written ??= writeEstateFile(estate, file)
    await written
    return file
  }
  const versions: Versions = {}
  for (const engine of args.engines) {
    const databases = await make[engine]({ estate, estateFile, folder, say: progress.say })
    atTheEnd(databases.stop)
    versions[engine] = databases.version
    const timing = timingOf(args, engine)
    const context: Context = { estate, databases, folder, quick: args.quick, timing, say: progress.say, ...gather }
    if (args.peers && engine === args.engines[0]) {
      await measurePeers(context, progress, (name) => isWanted(args, 'sqlite', name))
    }
    await measureEngine(context, args, progress, estateFile)
    await databases.stop()
  }
  return versions
}

/** The steps on each engine; a run with peers has more, and says so as it goes. */
function expectedSteps(args: Arguments): number {
  return args.engines.flatMap((engine) => figureNames.filter((name) => isWanted(args, engine, name))).length
}

/** The limit before and after each round, and the warm-up of both. */
function secondsPerStep({ rounds, seconds, warmUpSeconds }: Timing): number {
  return (rounds * 2 + 1) * (seconds + 0.5) + warmUpSeconds * 2
}

function timingOf(args: Arguments, engine: EngineName): Timing {
  const quickRounds = engine === 'sqlite' ? 2 : 1
  return {
    rounds: args.rounds ?? (args.quick ? quickRounds : 3),
    seconds: args.seconds ?? (args.quick ? 0.7 : 5),
    warmUpSeconds: args.quick ? 0.4 : 1,
  }
}
