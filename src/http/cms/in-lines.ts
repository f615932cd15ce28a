import type { Refusal } from '../../domain/refusal.ts'
import { asRefusal } from '../pipeline/errors.ts'
import type { CmsWork } from './endpoint.ts'

export const linesType = 'application/x-ndjson'

/** Work as lines of JSON: how far it has come, as often as somebody takes a line; at the end its answer, or the problem. */
export async function* inLines({ work, of }: CmsWork, problem: (refusal: Refusal) => object): AsyncGenerator<string> {
  let done = 0
  let last: object | undefined
  let news = Promise.withResolvers<void>()
  const tell = (count: number) => {
    done = count
    news.resolve()
  }
  const end = (line: object) => {
    last = line
    news.resolve()
  }
  work(tell).then(
    ({ body }) => end({ answer: body }),
    (error) => end({ problem: problem(asRefusal(error)) }),
  )
  yield line({ done, of })
  while (last === undefined) {
    await news.promise
    news = Promise.withResolvers()
    yield line(last ?? { done, of })
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
