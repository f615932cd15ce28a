import type { Pipeline } from '../../src/http/pipeline/pipeline.ts'
import { ApiRequest, isStream } from '../../src/http/pipeline/request.ts'

interface Injected {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
}

/** A request that goes through the pipeline without a connection. */
class InjectedRequest extends ApiRequest {
  readonly #body: string

  constructor({ body = '', ...head }: Injected) {
    super({ ...head, peer: { remoteAddress: undefined } })
    this.#body = body
  }

  async readBody(): Promise<Buffer> {
    return Buffer.from(this.#body)
  }

  signal(): AbortSignal {
    return AbortSignal.abort()
  }
}

/** Sends a request without a connection. A streamed response is read to its end. */
export async function inject(pipeline: Pipeline, ask: Injected) {
  const request = new InjectedRequest(ask)
  const response = await pipeline.handle(request)
  const { status, headers, body } = response
  const text = isStream(body) ? (await Array.fromAsync(body)).join('') : String(body)
  pipeline.finish(request, response)
  return { status, headers, text }
}
