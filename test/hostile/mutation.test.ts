import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testHarness } from '../torture/as-test.ts'
import { root } from '../torture/plant.ts'
import { alike, fits } from './mutation/alike.ts'
import { mutantsOf } from './mutation/mutants.ts'
import { mutation } from './mutation.ts'

testHarness(mutation)

test('a run that is aborted while its tests run reports no survivor', async () => {
  const cut = { build: root, seed: 1, count: 0.2, progress: () => {}, signal: AbortSignal.timeout(500) }
  assert.deepEqual((await mutation.run(cut)).violations, [])
})

test('every equivalent mutant on the list still exists', async () => {
  const mutants = await mutantsOf(root)
  const stale = alike.filter((one) => !mutants.some((mutant) => fits(one, mutant)))
  assert.deepEqual(stale, [])
})
