import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ExportFailure } from '../../src/http/observability/telemetry/export.ts'
import { SpanExporter } from '../../src/http/observability/telemetry/span-exporter.ts'
import type { Span } from '../../src/http/observability/telemetry/tracer.ts'

/** Returns one span per letter. */
function queueOf(letters: string) {
  const spans = [...letters].map((name) => ({ name }) as Span)
  return { take: (count: number) => spans.splice(0, count) }
}

/** Responds with the next of these outcomes: a number of rejected spans, or a failure. */
function collector(...answers: (number | ExportFailure)[]) {
  const bodies: string[] = []
  const send = async (spans: Span[]) => {
    bodies.push(spans.map(({ name }) => name).join(''))
    const answer = answers.shift() ?? 0
    if (typeof answer !== 'number') throw answer
    return answer
  }
  return { bodies, send }
}

const again = () => new ExportFailure('status 503', true)

describe('spans', () => {
  test('are sent in batches, and those that the collector rejects are counted', async () => {
    const { bodies, send } = collector(0, 2)
    const exporter = new SpanExporter(queueOf('abcde'), send, 2, 0)
    await exporter.flush()
    assert.deepEqual(bodies, ['ab', 'cd', 'e'])
    assert.deepEqual(exporter.dropped, { refused: 2, retries_exhausted: 0 })
  })

  test('that are rejected are dropped and do not block others', async () => {
    const { bodies, send } = collector(new ExportFailure('status 400', false))
    const exporter = new SpanExporter(queueOf('abcd'), send, 2, 0)
    await assert.rejects(exporter.flush(), { code: 'status 400' })
    assert.deepEqual(bodies, ['ab', 'cd'])
    assert.equal(exporter.dropped.refused, 2)
  })

  test('are retried after a retryable error, up to a maximum', async () => {
    const { bodies, send } = collector(...Array.from({ length: 8 }, again))
    const exporter = new SpanExporter(queueOf('abc'), send, 2, 0)
    for (let attempt = 1; attempt < 8; attempt++) await assert.rejects(exporter.flush(), { code: 'status 503' })
    assert.deepEqual(
      bodies,
      Array.from({ length: 7 }, () => 'ab'),
    )
    await assert.rejects(exporter.flush(), { code: 'status 503' })
    assert.deepEqual(bodies.slice(7), ['ab', 'c'])
    assert.deepEqual(exporter.dropped, { refused: 0, retries_exhausted: 2 })
  })

  test('wait for Retry-After, except in the last flush', async () => {
    const { bodies, send } = collector(new ExportFailure('status 429', true, 30_000))
    const exporter = new SpanExporter(queueOf('ab'), send, 2, 0)
    await assert.rejects(exporter.flush(), { code: 'status 429' })
    await exporter.flush()
    assert.deepEqual(bodies, ['ab'])
    await exporter.flush(true)
    assert.deepEqual(bodies, ['ab', 'ab'])
  })
})
