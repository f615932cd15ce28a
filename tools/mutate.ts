// npm run mutate [-- FILE…]: mutation testing of the access module or the given files; lists mutants that survive.

import { testServer } from '../test/harness/postgres-server.ts'
import { isAlike } from '../test/hostile/mutation/alike.ts'
import { MutantRunner } from '../test/hostile/mutation/mutant-runner.ts'
import { type Mutant, mutantsOf, titleOf } from '../test/hostile/mutation/mutants.ts'
import { root } from '../test/torture/plant.ts'

const wanted = process.argv.slice(2)
const all = await mutantsOf(root)
const chosen = all.filter(({ part }) => wanted.length === 0 || wanted.some((name) => part.file.includes(name)))
const mutants = chosen.filter((mutant) => !isAlike(mutant))

const postgres = await testServer()
process.env.ATRIUM_TEST_POSTGRES = postgres.url
try {
  using runner = new MutantRunner(root, new AbortController().signal)
  const failing = await runner.findFailingTests(mutants.map(({ part }) => part))
  if (failing.length > 0) throw new Error(`These fail without a mutant: ${failing.join(', ')}`)
  const survivors: Mutant[] = []
  await runner.run(mutants, (mutant, isKilled) => {
    if (isKilled) return
    survivors.push(mutant)
    console.log(`survived: ${titleOf(mutant)}`)
  })
  tell(survivors)
} finally {
  await postgres.stop()
}

function tell(survivors: Mutant[]): void {
  for (const [file, own] of Map.groupBy(mutants, ({ part }) => part.file)) {
    const left = survivors.filter(({ part }) => part.file === file).length
    console.log(`${file}: ${own.length - left} of ${own.length} killed`)
  }
  const killed = mutants.length - survivors.length
  console.log(`All: ${killed} of ${mutants.length}, ${((100 * killed) / mutants.length).toFixed(1)} %`)
  console.log(`${chosen.length - mutants.length} more decide the same; test/hostile/mutation/alike.ts says why.`)
}
