import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTurn, quietRounds } from '../../bench/measure/rounds.ts'

/** Rounds that are numbered; of each, a hundred ticks long, the host takes so many. */
async function measure(rounds: number, stolen: number[], repeats = rounds) {
  let round = 0
  let now = { all: 0, stolen: 0 }
  const next = async () => {
    now = { all: now.all + 100, stolen: now.stolen + (stolen[round] ?? 0) }
    return ++round
  }
  return quietRounds({ rounds, repeats }, next, () => now)
}

describe('rounds of the benchmark', () => {
  test('all count on a machine of one’s own', async () => {
    assert.deepEqual(await measure(3, []), { rounds: [1, 2, 3], repeated: 0 })
  })

  test('one from which the host took more than a tenth is measured again', async () => {
    assert.deepEqual(await measure(3, [0, 11, 10, 0]), { rounds: [1, 3, 4], repeated: 1 })
  })

  test('but not for ever: then they count as they are', async () => {
    assert.deepEqual(await measure(2, [50, 50, 50, 50]), { rounds: [3, 4], repeated: 2 })
  })

  test('nor at all where there is no time for it', async () => {
    assert.deepEqual(await measure(2, [50, 50], 0), { rounds: [1, 2], repeated: 0 })
  })

  test('where nobody knows what was taken, all count', async () => {
    let round = 0
    const measured = await quietRounds(
      { rounds: 2, repeats: 2 },
      async () => ++round,
      () => undefined,
    )
    assert.deepEqual(measured, { rounds: [1, 2], repeated: 0 })
  })

  test('each has its own of what is measured in turn', async () => {
    const measured: string[] = []
    const measure = async (one: string) => `${one}${measured.push(one)}`
    const [a, b] = await inTurn(['a', 'b'], { rounds: 2, repeats: 0 }, measure)
    assert.deepEqual(
      [a?.rounds, b?.rounds],
      [
        ['a1', 'a3'],
        ['b2', 'b4'],
      ],
    )
  })
})
