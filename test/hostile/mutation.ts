import type { Harness, Outcome, Run } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { isAlike } from './mutation/alike.ts'
import { MutantRunner } from './mutation/mutant-runner.ts'
import { type Mutant, mutantsOf, titleOf } from './mutation/mutants.ts'

export const mutation: Harness = {
  name: 'mutation',
  promises: [9],
  title: 'what goes wrong in the access module is seen by its tests',
  unit: '% of the mutants',
  target: '90 % killed',
  // A sample for `npm test` would be too small to tell 90 % from less.
  counts: { planted: 0.5, torture: 100 },
  planted: [
    {
      name: 'tests that fail are not noticed',
      file: 'test/hostile/mutation/judge.ts',
      find: '    process.exit(1)\n',
      replace: '',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  using runner = new MutantRunner(build, signal)
  const mutants = (await mutantsOf(build)).filter((mutant) => !isAlike(mutant))
  const chosen = shuffled(mutants, new Random(seed)).slice(0, Math.ceil((mutants.length * count) / 100))
  const history = await runner.findFailingTests(chosen.map(({ part }) => part))
  if (history.length > 0 && !signal.aborted) {
    return { figures: {}, violations: [{ what: 'tests fail without a mutant', history }] }
  }
  const survivors: Mutant[] = []
  let done = 0
  await runner.run(chosen, (mutant, isKilled) => {
    if (!isKilled) survivors.push(mutant)
    progress((++done / chosen.length) * count)
  })
  return outcomeOf(done, survivors)
}

/** One mutant in ten may survive; in a sample, one more by chance. */
function outcomeOf(mutants: number, survivors: Mutant[]): Outcome {
  const killed = mutants - survivors.length
  const figures = { mutants, killed, 'score %': Math.floor((1000 * killed) / Math.max(1, mutants)) / 10 }
  if (survivors.length <= Math.ceil(mutants / 10)) return { figures, violations: [] }
  const what = `${survivors.length} of ${mutants} mutants survived`
  return { figures, violations: [{ what, history: survivors.map(titleOf).sort() }] }
}

function shuffled<T>(items: T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
