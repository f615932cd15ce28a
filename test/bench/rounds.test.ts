import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTurn, quietRounds } from '../../bench/measure/rounds.ts'

/** Returns numbered rounds of 100 ticks; the numbers are their steal time in ticks. */
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
  test('all rounds count on a machine without steal time', async () => {
    assert.deepEqual(await measure(3, []), { rounds: [1, 2, 3], repeated: 0 })
  })

  test('a round with more than a tenth of steal time is repeated', async () => {
    assert.deepEqual(await measure(3, [0, 11, 10, 0]), { rounds: [1, 3, 4], repeated: 1 })
  })

  test('after the maximum of repetitions, all rounds count', async () => {
    assert.deepEqual(await measure(2, [50, 50, 50, 50]), { rounds: [3, 4], repeated: 2 })
  })

  test('no round is repeated when repetitions are disabled', async () => {
    assert.deepEqual(await measure(2, [50, 50], 0), { rounds: [1, 2], repeated: 0 })
  })

  test('all rounds count where steal time is unknown', async () => {
    let round = 0
    const measured = await quietRounds(
      { rounds: 2, repeats: 2 },
      async () => ++round,
      () => undefined,
    )
    assert.deepEqual(measured, { rounds: [1, 2], repeated: 0 })
  })

  test('alternating measurements keep their own results', async () => {
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
