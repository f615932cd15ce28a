import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from './harness/atrium.ts'
import { bulkCommands } from './model/bulk-commands.ts'
import { changeCommands } from './model/change-commands.ts'
import { estates } from './model/estate.ts'
import { newModel } from './model/model.ts'
import { readCommands } from './model/read-commands.ts'
import { newReal } from './model/real.ts'
import { roomCommands } from './model/room-commands.ts'
import { writeCommands } from './model/write-commands.ts'
import { limits } from './model/writes.ts'

/** Deterministic unless another seed is set. A failure prints its seed and the shortest sequence of calls that fails. */
const usualSeed = 20_261_115
const seed = Number(process.env.ATRIUM_TEST_SEED || usualSeed)
const runs = Number(process.env.ATRIUM_TEST_RUNS || 50)
const longestMs = Number(process.env.ATRIUM_TEST_RUNS ? 3_600_000 : 25_000)

const kinds = [...roomCommands, ...roomCommands, ...changeCommands, ...bulkCommands, ...writeCommands, ...readCommands]
const commands = fc.commands(kinds, { maxCommands: 80, size: 'max' })
const settings = {
  ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS: String(limits.room),
  ATRIUM_LIMIT_POST_SUBSCRIPTIONS: String(limits.post),
}

/** The outcomes that must each occur, or else the test proves little. */
const answers = [
  ...['200', '403 facility_not_granted', '403 not_granted', '404 facility_not_found', '404 area_not_found'].map(
    (answer) => `GET ${answer}`,
  ),
  ...['200', '400 value_invalid', '400 item_invalid', '400 value_not_array', '412 precondition_failed'].map(
    (answer) => `PATCH ${answer}`,
  ),
  ...['200', '200 replayed', '409 cycle_ended', '422 idempotency_key_reused', '412 cycle_ended'].map(
    (answer) => `POST ${answer}`,
  ),
  ...['412 precondition_failed', '400 item_invalid', '400 limit_exceeded', '403 room_services_unsupported'].map(
    (answer) => `POST ${answer}`,
  ),
  ...['200', '404 service_not_found', '412 cycle_ended', '412 precondition_failed', '403 not_granted'].map(
    (answer) => `DELETE ${answer}`,
  ),
  ...['200', '200 replayed', '400 item_invalid', '404 service_not_found'].map((answer) => `PUT ${answer}`),
  ...['200', '400 item_invalid', '404 service_not_found'].map((answer) => `change ${answer}`),
  ...['200', '200 replayed', '404 area_not_found', '409 room_not_open', '409 room_occupied', '409 cycle_ended'].map(
    (answer) => `move ${answer}`,
  ),
  ...[
    '200',
    '200 replayed',
    '400 header_invalid',
    '400 body_invalid',
    '409 cycle_ended',
    '422 idempotency_key_reused',
  ].map((answer) => `bulk ${answer}`),
  ...['each', 'all'].flatMap((mode) =>
    [
      ...['200', '424 not_attempted', '400 item_invalid', '400 limit_exceeded', '403 not_granted'],
      ...['403 room_services_unsupported', '404 area_not_found', '404 service_not_found', '409 room_not_open'],
      ...['409 room_occupied', '409 cycle_ended', '412 cycle_ended'],
    ].map((result) => `bulk ${mode} ${result}`),
  ),
]

onEachEngine('the service does what its model does', { settings }, (atrium) => {
  test(`${runs} estates with up to 80 calls each, seed ${seed}`, async () => {
    let firstId = 1
    let late = false
    const endMs = performance.now() + longestMs
    const met = new Set<string>()
    const property = fc.asyncProperty(estates, commands, async (sketch, calls) => {
      // Also limits the shrinking of a failure: the shortest sequence found by then is reported.
      late ||= performance.now() > endMs
      if (late) return
      firstId += 10
      const real = await newReal(atrium(), sketch, firstId, met)
      await fc.asyncModelRun(() => ({ model: newModel(sketch, firstId), real }), calls)
    })
    await fc.assert(property, { seed, numRuns: runs })
    const missed = answers.filter((answer) => !met.has(answer))
    if (seed === usualSeed && !late) assert.deepEqual(missed, [], 'responses that never came')
  })
})
