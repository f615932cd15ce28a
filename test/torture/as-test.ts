import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Harness, Outcome, Planted, Run } from './harness.ts'
import { plant, root } from './plant.ts'

/**
 * Registers a harness with the tests: it must catch a planted bug, and then find no violation. All of its planted bugs
 * would take too long here; `npm run torture` plants them.
 */
export function testHarness(harness: Harness): void {
  const seed = Number(process.env.ATRIUM_TEST_SEED ?? Date.now() % 2 ** 31)
  describe(`${harness.name}: ${harness.title}`, () => {
    const planted = harness.planted[0] as Planted
    test(`catches a planted bug: ${planted.name}`, async (t) => {
      using copy = plant(planted)
      const { violations } = await harness.run(runOf(copy.build, harness.counts.planted, seed))
      assert.ok(violations.length > 0, 'the harness did not see it')
      t.diagnostic(`caught: ${violations[0]?.what}`)
    })

    const { test: count } = harness.counts
    if (count === undefined) return
    test(`${count} ${harness.unit}: ${harness.target}`, async (t) => {
      const outcome = await harness.run(runOf(root, count, seed))
      t.diagnostic(JSON.stringify(outcome.figures))
      assert.equal(outcome.violations.length, 0, `seed ${seed}\n${explain(outcome)}`)
    })
  })
}

function runOf(build: string, count: number, seed: number): Run {
  return { build, seed, count, progress: () => {}, signal: new AbortController().signal }
}

export function explain({ violations }: Outcome): string {
  return violations.map(({ what, history }) => [what, ...history.map((line) => `  ${line}`)].join('\n')).join('\n')
}
