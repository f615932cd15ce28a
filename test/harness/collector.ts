import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export interface SeenSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  status?: { code: number }
}

/** An OpenTelemetry collector that stores what it receives. */
export class TestCollector {
  readonly spans: SeenSpan[] = []
  // biome-ignore lint/suspicious/noExplicitAny: as it arrived
  readonly metrics = new Map<string, any>()
  readonly resources: Record<string, unknown>[] = []
  readonly headers: Record<string, unknown>[] = []
  /** The responses to the next requests. */
  status = 200
  /** Requests that got another response than 200. */
  refused = 0
  readonly #server: Server

  constructor() {
    this.#server = createServer(async (request, response) => {
      const bytes = await buffer(request)
      const body = JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes))
      response.statusCode = this.status
      if (this.status === 200) this.#take(request.url ?? '', body)
      else this.refused++
      this.headers.push(request.headers)
      response.end('{}')
    })
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#server.unref()
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  // biome-ignore lint/suspicious/noExplicitAny: as it arrived
  #take(path: string, body: any): void {
    const [of] = body.resourceSpans ?? body.resourceMetrics
    this.resources.push(plain(of.resource.attributes))
    if (path === '/v1/traces') {
      for (const span of of.scopeSpans[0].spans) this.spans.push({ ...span, attributes: plain(span.attributes) })
    } else if (path === '/v1/metrics') {
      for (const metric of of.scopeMetrics[0].metrics) this.metrics.set(metric.name, metric)
    } else throw new Error(`a collector has no ${path}`)
  }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number }
}

export function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? doubleValue ?? Number(intValue),
    ]),
  )
}
