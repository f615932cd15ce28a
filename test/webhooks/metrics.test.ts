import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { aggregateMetrics, createMetrics } from '../../src/http/observability/metrics.ts'
import { registerWebhookMetrics } from '../../src/http/observability/webhook-metrics.ts'
import { onEachEngineWithWebhooks } from './fixture.ts'

const taken = 'deliveries_total{outcome="taken"}'
const refused = 'deliveries_total{outcome="refused"}'
const unanswered = 'deliveries_total{outcome="unanswered"}'

/** Reads the webhook metrics, by name and labels. */
function figuresIn(text: string): Record<string, number> {
  return Object.fromEntries(
    Array.from(text.matchAll(/^atrium_webhook_(\S+) (\S+)$/gm), ([, name = '', value]) => [name, Number(value)]),
  )
}

onEachEngineWithWebhooks('metrics of webhooks', ({ receiver, ask, add, rename, eventually }) => {
  const text = async () => (await ask('GET /metrics')).text
  const figures = async () => figuresIn(await text())
  const until = async (isSo: (figures: Record<string, number>) => boolean) => {
    for (;;) {
      const now = await figures()
      if (isSo(now)) return now
      await new Promise(setImmediate)
    }
  }

  test('counters start at 0, so that the first increase is visible', async () => {
    const { [taken]: well, [refused]: badly, [unanswered]: never, ...others } = await figures()
    assert.deepEqual([well, badly, never], [0, 0, 0])
    for (const reason of ['failed', 'gone']) assert.equal(others[`switched_off_total{reason="${reason}"}`], 0)
    for (const state of ['active', 'failing']) assert.equal(others[`oldest_waiting_seconds{state="${state}"}`], 0)
  })

  test('an event counts as waiting until it is delivered', async () => {
    await add('/watched')
    let held: ServerResponse | undefined
    receiver().answers('/watched', (_, response) => {
      held = response
    })
    await rename('One')
    const during = await until(({ attempts_waiting: waiting }) => waiting === 1 && held !== undefined)
    assert.ok((during['oldest_waiting_seconds{state="active"}'] ?? 0) > 0)
    receiver().answers('/watched', (_, response) => void response.writeHead(204).end())
    held?.writeHead(204).end()
    const after = await until(({ attempts_waiting: waiting }) => waiting === 0)
    assert.equal(after['oldest_waiting_seconds{state="active"}'], 0)
    // At least once: a busy machine may send it again.
    assert.ok((after[taken] ?? 0) >= 1)
    assert.equal(after.delivery_seconds_count, after[taken])
    await until((now) => now['endpoints{state="active"}'] === 1)
  })

  test('failed attempts are counted, and the webhook is failing until one succeeds', async () => {
    const { webhook } = await add('/ill')
    receiver().answers('/ill', (_, response) => void response.writeHead(500).end())
    await rename('Two')
    await eventually(webhook.id, ({ state }) => state === 'failing')
    const failing = await until((now) => now['endpoints{state="failing"}'] === 1)
    assert.ok((failing['oldest_waiting_seconds{state="failing"}'] ?? 0) > 0)
    assert.ok((failing[refused] ?? 0) >= 1)
    receiver().answers('/ill', (_, response) => void response.destroy())
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: false })
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: true })
    await until((now) => (now[unanswered] ?? 0) >= 1)
    receiver().answers('/ill', (_, response) => void response.writeHead(204).end())
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: false })
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: true })
    await until((now) => now['endpoints{state="failing"}'] === 0)
  })

  test('webhooks that the service switches off are counted by reason, others are not', async () => {
    const { webhook } = await add('/gone')
    receiver().answers('/gone', (_, response) => void response.writeHead(410).end())
    await rename('Three')
    // It is counted after the commit, so others can see it earlier.
    await until((now) => now['endpoints{state="disabled"}'] === 1 && now['switched_off_total{reason="gone"}'] === 1)
    await ask(`PATCH /v1/webhooks/${webhook.id}`, { active: true })
    await until((now) => now['switched_off_total{reason="gone"}'] === 2)
    const other = await add('/unwanted')
    await ask(`PATCH /v1/webhooks/${other.webhook.id}`, { active: false })
    const off = await until((now) => now['endpoints{state="disabled"}'] === 2)
    assert.deepEqual([off['switched_off_total{reason="gone"}'], off['switched_off_total{reason="failed"}']], [2, 0])
  })

  test('no metric has a partner or an address as label', async () => {
    const all = await text()
    for (const name of ['keeper', 'chu-nord', receiver().url, '127.0.0.1']) assert.ok(!all.includes(name), name)
  })
})

describe('the metrics of several processes of a node', () => {
  test('are added up, except those that each process has for all', async () => {
    const counted = await Promise.all(
      [1, 2].map(async (count) => {
        const metrics = createMetrics()
        const figures = registerWebhookMetrics(metrics)
        figures.endpoints = { active: 5, failing: 2, disabled: 1 }
        for (let at = 0; at < count; at++) {
          figures.countAttempt({
            status: 204,
            error: null,
            durationMs: 20,
            retryAfterSeconds: undefined,
            response: null,
          })
          figures.setWaiting(`${at}`, new Date().toISOString())
        }
        return metrics.registry.getMetricsAsJSON()
      }),
    )
    const sum = figuresIn(await aggregateMetrics(counted).metrics())
    assert.deepEqual([sum[taken], sum.delivery_seconds_count, sum.attempts_waiting], [3, 3, 3])
    assert.deepEqual([sum['endpoints{state="active"}'], sum['endpoints{state="failing"}']], [5, 2])
  })
})
