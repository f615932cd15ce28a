import assert from 'node:assert/strict'
import type { Asked, TestAtrium } from '../harness/atrium.ts'

export interface Outcome {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read areas of every shape
  area?: any
  // biome-ignore lint/suspicious/noExplicitAny: tests read problems of every shape
  problem?: any
}

interface Called extends Asked {
  facility?: string
  mode?: string
}

export const room = (short: string) => `chu-nord-${short}`

/** Sends operations on rooms of the hospital, each to itself, as `ward`. */
export async function bulk(atrium: TestAtrium, operations: object[], called: Called = {}) {
  const { facility = 'chu-nord', mode = 'each', ...rest } = called
  const request = `POST /v1/facilities/${facility}/areas/bulk`
  const answer = await atrium.ask(request, { as: 'ward', body: { mode, operations }, ...rest })
  assert.equal(answer.status, 200, answer.text)
  const results = answer.body.results as Outcome[]
  return { ...answer, results, said: results.map(({ status, problem }) => problem?.code ?? status) }
}

/** The same with the mode `all`. */
export const bulkAll = (atrium: TestAtrium, operations: object[], called: Called = {}) =>
  bulk(atrium, operations, { mode: 'all', ...called })

export async function areaOf(atrium: TestAtrium, short: string) {
  return (await atrium.ask(`GET /v1/areas/${room(short)}`, { as: 'ward' })).body
}
