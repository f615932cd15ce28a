import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Failure } from '../failure.ts'
import { type Problem, type RemoteServer, refusalFromProblem } from './server.ts'

/** One line of a response with `?progress=true`: progress, a detail, or the last line with the result or the problem. */
interface Line<T> {
  done?: number
  of?: number
  answer?: T
  problem?: Problem
}

interface Observer<Detail> {
  onProgress(part: number): void
  onDetail?(detail: Detail): void
  /** What to do if the connection is lost. */
  advice: string
}

export async function readProgress<T, Detail = unknown>(
  server: RemoteServer,
  response: Response,
  { onProgress, onDetail = () => {}, advice }: Observer<Detail>,
): Promise<T> {
  let last: Line<T> = {}
  for await (const text of createInterface({ input: Readable.from(server.read(response)) })) {
    last = JSON.parse(text) as Line<T>
    if (last.done !== undefined && last.of !== undefined) onProgress(last.done / last.of)
    else if (last.answer === undefined && last.problem === undefined) onDetail(last as Detail)
  }
  if (last.problem !== undefined) throw refusalFromProblem(server.url, last.problem)
  if (last.answer !== undefined) return last.answer
  throw new Failure(`the connection to ${server.url} was lost: ${advice}`)
}
