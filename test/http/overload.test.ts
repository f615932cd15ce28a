import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { openDatabase } from '../../src/storage/database.ts'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { until } from '../harness/workers.ts'

// More than the background jobs that run at start.
const queue = 24
const rename = (atrium: TestAtrium) =>
  atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: 'Renamed' } })
const read = (atrium: TestAtrium) => atrium.ask('GET /v1/facilities/chu-nord', { as: 'everything' })

function assertSentAway(answer: Answered): void {
  assertProblem(answer, 503, 'overloaded')
  assert.equal(answer.headers.get('retry-after'), '1')
}

/** Locks what renaming needs, until it is released. */
async function hold(atrium: TestAtrium): Promise<() => Promise<void>> {
  const db = openDatabase(atrium.databaseUrl)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hasIt } = Promise.withResolvers<void>()
  const work = db.write(async (tx) => {
    await tx.lockRow(tx.query.selectFrom('facility').select('id')).execute()
    hasIt()
    await released
  })
  await held
  return async () => {
    release()
    await work
    await db.close()
  }
}

onEachEngine('a line that is full', { settings: { ATRIUM_OVERLOAD_QUEUE: String(queue) } }, (atrium) => {
  test('refuses further writes at once; queued ones complete, and cached reads go on', async () => {
    const { service } = atrium()
    await read(atrium())
    const letGo = await hold(atrium())
    const waiting: Promise<Answered>[] = []
    // Background jobs are in the queue too, and leave it: a request that is not refused at once has been queued.
    const sentAway = () =>
      until('one who is sent away', async () => {
        const asked = rename(atrium())
        waiting.push(asked)
        return service.db.pending.write >= queue && (await Promise.race([asked, sleep(500, undefined)]))
      })
    try {
      for (let times = 0; times < 3; times++) {
        assertSentAway(await sentAway())
        const good = await Promise.all([read(atrium()), atrium().ask('GET /healthz'), atrium().ask('GET /readyz')])
        assert.deepEqual(
          good.map(({ status }) => status),
          [200, 200, 200],
        )
      }
    } finally {
      await letGo()
    }
    const answers = await Promise.all(waiting)
    for (const answer of answers.filter(({ status }) => status !== 200)) assertSentAway(answer)
    assert.ok(
      answers.some(({ status }) => status === 200),
      'those who waited had their turn',
    )
    assert.equal((await rename(atrium())).status, 200)
    const { text } = await atrium().ask('GET /metrics')
    const refusals = /^atrium_overload_refusals_total\{reason="queue"\} (\d+)$/m.exec(text)?.[1]
    assert.ok(Number(refusals) >= 3, text)
  })
})

onEachEngine('an event loop that lags', { settings: { ATRIUM_OVERLOAD_LAG_MS: '40' } }, (atrium) => {
  test('refuses what needs the database, and serves cached reads', async () => {
    await until('it in memory', async () => (await read(atrium())).status === 200)
    let isBusy = true
    const busy = (async () => {
      while (isBusy) {
        for (const endMs = performance.now() + 180; performance.now() < endMs; );
        await turn()
      }
    })()
    const unseen = () => atrium().ask('GET /v1/facilities/nice-02/areas?limit=1', { as: 'everything' })
    await until('a refusal', async () => (await rename(atrium())).status === 503)
    assertSentAway(await rename(atrium()))
    assertSentAway(await unseen())
    assert.equal((await read(atrium())).status, 200)
    assert.equal((await atrium().ask('GET /readyz')).status, 200)
    isBusy = false
    await busy
    await until('an end of it', async () => (await rename(atrium())).status === 200)
    await until('an end of it for reads', async () => (await unseen()).status === 200)
  })
})
