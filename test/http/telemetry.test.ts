import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, onEachEngine, startAtrium } from '../harness/atrium.ts'
import { plain, type SeenSpan, TestCollector } from '../harness/collector.ts'
import { addOperator } from '../harness/operators.ts'

const collector = await new TestCollector().start()
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=let=me in,Authorization=Basic%20abc%3D',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20one,service.name=other',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  OTEL_SERVICE_NAME: 'atrium-test',
  OTEL_BSP_SCHEDULE_DELAY: '20',
}
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await sleep(20)
  }
}

/** Resolves to the span of the request with this id, once the collector has it. */
function requestSpan(requestId: string): Promise<SeenSpan> {
  return until(() => collector.spans.find(({ attributes }) => attributes['atrium.request_id'] === requestId))
}

function childrenOf({ spanId }: SeenSpan): SeenSpan[] {
  return collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
}

function onlyChildOf(span: SeenSpan): SeenSpan {
  const [child, ...others] = childrenOf(span)
  assert.deepEqual(others, [])
  return child as SeenSpan
}

function isWithin(inner: SeenSpan, outer: SeenSpan): boolean {
  const [start, end] = [BigInt(outer.startTimeUnixNano), BigInt(outer.endTimeUnixNano)]
  return BigInt(inner.startTimeUnixNano) >= start && BigInt(inner.endTimeUnixNano) <= end
}

onEachEngine('a collector of traces and metrics', { settings }, (atrium) => {
  let asked = 0
  let headers: Record<string, string>
  beforeEach(() => {
    headers = { 'x-request-id': `${atrium().engine}-${++asked}` }
  })
  const ask = async (request: string, more: Asked = {}) => {
    const answer = await atrium().ask(request, { as: 'hotelier', ...more, headers: { ...headers, ...more.headers } })
    return { answer, span: await requestSpan(headers['x-request-id'] as string) }
  }

  for (const [way, more] of [
    ['the express lane', {}],
    ['the whole way', { origin: 'https://x.example' }],
  ] as const) {
    test(`gets spans of request, operation and query, by ${way}`, async () => {
      const traceparent = `00-${traceId}-${callersSpan}-01`
      const body = { value: `Le Grand ${asked}` }
      const { answer, span } = await ask('PATCH /v1/facilities/lyon-01/name', {
        body,
        headers: { traceparent, ...more },
      })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([span.traceId, span.parentSpanId], [traceId, callersSpan])
      assert.deepEqual([span.name, span.kind], ['PATCH /v1/facilities/:facilityExternalId/name', 2])
      assert.deepEqual(span.attributes, {
        'http.request.method': 'PATCH',
        'url.scheme': 'http',
        'url.path': '/v1/facilities/REDACTED/name',
        'http.response.status_code': 200,
        'http.route': '/v1/facilities/:facilityExternalId/name',
        'atrium.partner': 'hotelier',
        'atrium.request_id': headers['x-request-id'],
      })
      const operation = onlyChildOf(span)
      assert.deepEqual([operation.name, operation.kind, operation.traceId], ['updateFacilityName', 1, traceId])
      const queries = childrenOf(operation)
      assert.ok(queries.some(({ name, kind }) => name === 'database write' && kind === 3))
      const system = atrium().engine === 'postgres' ? 'postgresql' : 'sqlite'
      for (const { attributes } of queries) assert.equal(attributes['db.system.name'], system)
      for (const inner of [operation, ...queries]) assert.ok(isWithin(inner, span), inner.name)
    })
  }

  test('gets spans of cached reads, also in a trace of the caller', async () => {
    for (const more of [{}, {}, { traceparent: `00-${traceId}-${callersSpan}-01` }]) {
      headers['x-request-id'] += '.'
      const { span } = await ask('GET /v1/facilities/lyon-01/', { headers: more })
      assert.equal(span.attributes['http.response.status_code'], 200)
      assert.equal(span.traceId === traceId, 'traceparent' in more)
    }
  })

  test('gets no spans of a trace that the caller does not sample', async () => {
    await atrium().ask('GET /v1/me', {
      as: 'hotelier',
      headers: { 'x-request-id': 'unkept', traceparent: `00-${traceId}-${callersSpan}-00` },
    })
    await ask('GET /v1/me')
    assert.ok(!collector.spans.some(({ attributes }) => attributes['atrium.request_id'] === 'unkept'))
  })

  test('gets the code of a refusal, and no content of the request', async () => {
    const canary = 'canary-7f3a'
    const { span } = await ask(`GET /v1/facilities/${canary}/?q=${canary}`)
    assert.deepEqual(
      [span.attributes['http.response.status_code'], span.attributes['error.type'], span.status],
      [403, 'facility_not_granted', undefined],
    )
    assert.ok(!JSON.stringify(collector.spans).includes(canary))
  })

  test('gets spans of the CMS API', async () => {
    const { key } = await addOperator(atrium(), 'viewer')
    const { span } = await ask('GET /cms/v1/facilities', { as: key })
    assert.equal(span.name, 'GET /cms/v1/facilities')
    const operation = onlyChildOf(span)
    assert.equal(operation.name, 'listFacilities')
    assert.ok(childrenOf(operation).length > 0)
  })

  test('gets retried spans later, and the log mentions the failure', async () => {
    collector.status = 503
    const { refused } = collector
    await atrium().ask('GET /v1/me', { as: 'hotelier', headers })
    await until(() => (collector.refused > refused ? true : undefined))
    collector.status = 200
    const span = await requestSpan(headers['x-request-id'] as string)
    assert.equal(span.name, 'GET /v1/me')
    assert.ok(atrium().log.some((line) => line.includes('could not send traces') && line.includes('status 503')))
  })
})

describe('a collector that rejects', () => {
  test('does not get the batch again; it is counted, and later ones are sent', async () => {
    const atrium = await startAtrium('sqlite', { settings })
    try {
      collector.status = 413
      await atrium.ask('GET /v1/me', { as: 'ward', headers: { 'x-request-id': 'too-large' } })
      const dropped = /^atrium_telemetry_spans_dropped_total\{reason="refused"\} [1-9]/m
      while (!dropped.test(await (await fetch(`${atrium.url}/metrics`)).text())) await sleep(20)
      collector.status = 200
      await atrium.ask('GET /v1/me', { as: 'ward', headers: { 'x-request-id': 'later' } })
      await requestSpan('later')
      assert.ok(!collector.spans.some(({ attributes }) => attributes['atrium.request_id'] === 'too-large'))
      assert.ok(atrium.log.some((line) => line.includes('could not send traces') && line.includes('status 413')))
    } finally {
      collector.status = 200
      await atrium.stop()
    }
  })
})

describe('the metrics that a collector gets', () => {
  test('are those of /metrics, sent once more when the node stops', async () => {
    const atrium = await startAtrium('sqlite', { settings })
    for (let time = 0; time < 3; time++) await atrium.ask('GET /v1/me', { as: 'ward' })
    collector.metrics.clear()
    await atrium.stop()
    const total = collector.metrics.get('atrium_http_requests_total')
    assert.equal(total.sum.isMonotonic, true)
    const labels = { method: 'GET', route: '/v1/me', status: 200 }
    const [point] = total.sum.dataPoints.filter(isOf(labels))
    assert.equal(point.asDouble, 3)
    const [times] = collector.metrics
      .get('atrium_http_request_duration_seconds')
      .histogram.dataPoints.filter(isOf(labels))
    assert.equal(times.count, '3')
    assert.equal(times.bucketCounts.length, times.explicitBounds.length + 1)
    const inBuckets = times.bucketCounts.reduce((sum: number, count: string) => sum + Number(count), 0)
    assert.equal(inBuckets, 3)
    assert.ok(collector.metrics.get('nodejs_eventloop_lag_seconds').gauge.dataPoints.length > 0)
    const outcomes = collector.metrics.get('atrium_webhook_deliveries_total').sum.dataPoints
    assert.deepEqual(
      outcomes.map(({ attributes }: Parameters<ReturnType<typeof isOf>>[0]) => plain(attributes)),
      [{ outcome: 'taken' }, { outcome: 'refused' }, { outcome: 'unanswered' }],
    )
    const [resource] = collector.resources
    assert.equal(resource?.['service.name'], 'atrium-test')
    assert.match(String(resource?.['service.instance.id']), /^[0-9a-f-]{36}$/)
    assert.equal(resource?.['deployment.environment.name'], 'test one')
    assert.equal(collector.headers.at(-1)?.['api-key'], 'let=me in')
    assert.equal(collector.headers.at(-1)?.authorization, 'Basic abc=')
    assert.equal(collector.metrics.get('atrium_http_request_duration_seconds').unit, 's')
    assert.equal(collector.metrics.get('process_resident_memory_bytes').unit, 'By')
  })
})

// biome-ignore lint/suspicious/noExplicitAny: as it came
function isOf(labels: object): (point: any) => boolean {
  return ({ attributes }) => JSON.stringify(plain(attributes)) === JSON.stringify(labels)
}
