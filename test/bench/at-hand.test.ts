import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atHand, lookUps } from '../../bench/measure/at-hand.ts'
import { onEachEngine } from '../harness/atrium.ts'

const estate = {
  facilities: [{ id_external: 'f-1', name: 'One' }],
  partners: [{ id: 'p-1', name: 'Partner', grants: [{ facilities: '*', read: '*' }] }],
}

onEachEngine('what the benchmark finds at hand', { estate }, (atrium) => {
  test('is the share of the look-ups between two moments', async () => {
    const read = () => atrium().ask('GET /v1/facilities/f-1', { as: 'p-1' })
    const start = await lookUps(atrium().url)
    await read()
    const afterOne = await lookUps(atrium().url)
    assert.equal(atHand(start, afterOne).answers, 0)
    for (let n = 0; n < 3; n++) await read()
    const afterFour = await lookUps(atrium().url)
    assert.equal(atHand(afterOne, afterFour).answers, 1)
    assert.equal(atHand(start, afterFour).answers, 0.75)
    assert.deepEqual(atHand(afterFour, afterFour), {})
  })
})
