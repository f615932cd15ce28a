import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { alerts, deploy, queries, textOf } from '../../tools/place/files.ts'
import { metricsIn, selectorsIn } from '../../tools/place/promql.ts'
import { onEachEngine } from '../harness/atrium.ts'

/** Labels that Prometheus adds. */
const fromPrometheus = { metrics: ['up'], labels: ['job', 'instance'] }

onEachEngine('a node that is watched', {}, (atrium) => {
  test('has every metric and label that the dashboard and the alerts ask for', async () => {
    await atrium().ask('GET /v1/me', { as: 'ward' })
    await atrium().ask('GET /readyz')
    const known = metricsIn((await atrium().ask('GET /metrics')).text)
    const missing = queries().flatMap(({ of, expr }) =>
      selectorsIn(expr)
        .filter(({ metric }) => !fromPrometheus.metrics.includes(metric))
        .flatMap(({ metric, labels }) => {
          const has = known.get(metric)
          if (has === undefined) return [`${of}: ${metric}`]
          const strange = labels.filter((label) => !has.has(label) && !fromPrometheus.labels.includes(label))
          return strange.map((label) => `${of}: ${metric}{${label}}`)
        }),
    )
    assert.deepEqual(missing, [])
    assert.ok(!known.has('atrium_http_request_total'))
  })

  test('is healthy to its container, and is not when it is gone', async () => {
    const health = (port: string) =>
      promisify(execFile)(process.execPath, [join(deploy, 'health.mjs')], {
        env: { ...process.env, ATRIUM_PORT: port },
      })
    assert.match((await health(new URL(atrium().url).port)).stdout, /200/)
    await assert.rejects(health('1'), { code: 1 })
  })
})

test('queries are read by the grammar of Prometheus', () => {
  assert.deepEqual(selectorsIn('sum by (le) (rate(a_bucket{route=~"/v1.*"}[5m])) > on (le) b'), [
    { metric: 'a_bucket', labels: ['route'] },
    { metric: 'b', labels: [] },
  ])
  assert.throws(() => selectorsIn('sum by (le) (rate(a_bucket[5m])'), /cannot be read/)
})

test('every alert has a section with the remedy, and every section an alert', () => {
  const sections = Array.from(textOf('docs/guides/alerts.md').matchAll(/^## (\w+)$/gm), ([, name]) => name)
  assert.deepEqual(
    sections,
    alerts().map(({ alert }) => alert),
  )
  for (const { alert, annotations } of alerts()) {
    assert.equal(annotations.runbook, `docs/guides/alerts.md#${alert.toLowerCase()}`)
  }
})
