import type { Refusal } from '../../domain/refusal.ts'
import { asRefusal } from '../pipeline/errors.ts'
import type { CmsLongTask } from './endpoint.ts'

export const linesType = 'application/x-ndjson'

/** Yields a line only when the client has read the previous one: a slow client gets fewer, and none accumulate. */
export async function* progressLines(
  { run, total }: CmsLongTask,
  problem: (refusal: Refusal) => object,
): AsyncGenerator<string> {
  let done = 0
  let last: object | undefined
  let details: Iterable<object> = []
  let update = Promise.withResolvers<void>()
  const onProgress = (count: number) => {
    done = count
    update.resolve()
  }
  const end = (line: object) => {
    last = line
    update.resolve()
  }
  run(onProgress).then(
    (result) => {
      details = result.details ?? []
      end({ answer: result.body })
    },
    (error) => end({ problem: problem(asRefusal(error)) }),
  )
  yield line({ done, of: total })
  while (last === undefined) {
    await update.promise
    update = Promise.withResolvers()
    if (last === undefined) yield line({ done, of: total })
  }
  for (const detail of details) yield line(detail)
  yield line(last)
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
