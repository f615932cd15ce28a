import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'
import { Tracer } from '../../src/http/observability/telemetry/tracer.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/otlp/' }
const read = (env: Record<string, string>) => readConfig({ ...endpoint, ...env }).telemetry

describe('the settings of a collector', () => {
  test('have defaults', () => {
    assert.equal(readConfig({}).telemetry, null)
    const of = (signal: string) => ({ url: `https://collector.example:4318/otlp/v1/${signal}`, headers: {} })
    assert.deepEqual(read({}), {
      traces: of('traces'),
      metrics: of('metrics'),
      resource: { 'service.name': 'atrium' },
      sampler: { ratio: 1, followsCaller: true },
      isCompressed: false,
      timeoutMs: 10_000,
      queueSize: 10_000,
      batchSize: 512,
      tracesEveryMs: 5000,
      metricsEveryMs: 60_000,
    })
  })

  test('headers are decoded, and a signal can have its own', () => {
    const config = read({
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b, c=d=e,Authorization=Basic%20abc%3D',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=traces%2C',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/path/',
    })
    const common = { c: 'd=e', Authorization: 'Basic abc=' }
    assert.deepEqual(config?.traces, { url: 'http://traces.example/path/', headers: { a: 'traces,', ...common } })
    assert.deepEqual(config?.metrics?.headers, { a: 'b', ...common })
  })

  test('name the resource', () => {
    const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=one,deployment.environment.name=a%20b' }
    assert.deepEqual(read(attributes)?.resource, { 'service.name': 'one', 'deployment.environment.name': 'a b' })
    assert.equal(read({ ...attributes, OTEL_SERVICE_NAME: 'two' })?.resource['service.name'], 'two')
  })

  test('can switch it off, whole or in part', () => {
    assert.equal(read({ OTEL_SDK_DISABLED: 'true' }), null)
    assert.equal(read({ OTEL_TRACES_EXPORTER: 'none' })?.traces, null)
    assert.equal(read({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }), null)
    const tracesOnly = readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.example/v1/traces' }).telemetry
    assert.equal(tracesOnly?.metrics, null)
  })

  const traceparent = (last: string, flags: string) => `00-${'1'.repeat(31)}${last}-${'2'.repeat(16)}-${flags}`
  for (const [name, argument, keepsNew, keepsUnsampled] of [
    ['always_on', '', true, true],
    ['always_off', '', false, false],
    ['traceidratio', '1', true, true],
    ['parentbased_always_on', '', true, false],
    ['parentbased_always_off', '', false, false],
    ['parentbased_traceidratio', '0', false, false],
  ] as const) {
    test(`sample by ${name}`, () => {
      const config = read({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument })
      const tracer = new Tracer(config as NonNullable<typeof config>, 'http')
      assert.equal(tracer.start(undefined).isSampled, keepsNew)
      assert.equal(tracer.start(traceparent('1', '00')).isSampled, keepsUnsampled)
    })
  }

  test('sample by the id of the trace, alike in every service', () => {
    const config = read({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' })
    const tracer = new Tracer(config as NonNullable<typeof config>, 'http')
    const kept = (id: string) => tracer.start(`00-${id}-${'2'.repeat(16)}-00`).isSampled
    assert.equal(kept(`${'a'.repeat(19)}8000000000000`), true)
    assert.equal(kept(`${'a'.repeat(19)}7ffffffffffff`), false)
  })

  for (const wrong of [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4318' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
    { OTEL_TRACES_SAMPLER_ARG: 'half' },
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'no value' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=100%' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0d%0ac' },
  ] as Record<string, string>[]) {
    test(`cannot be ${JSON.stringify(wrong)}`, () => {
      const [name = ''] = Object.keys(wrong)
      assert.throws(
        () => read(wrong),
        (error) => error instanceof ConfigError && error.message.startsWith(name),
      )
    })
  }
})
