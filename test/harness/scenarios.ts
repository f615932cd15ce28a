import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answered, type Asked, onEachEngine, type StartOptions, type TestAtrium } from './atrium.ts'
import { dump } from './dump.ts'

export interface Scenario extends Asked {
  when: string
  request: string
  status: number
  /** The problem's code. */
  code?: string
  /** The whole JSON of the response. */
  is?: unknown
  /** Members that the response must have, compared deeply. */
  has?: Record<string, unknown>
  /** Text that must not occur anywhere in the response. */
  hides?: string[]
  check?(answer: Answered, atrium: TestAtrium): unknown
}

/** Runs a row of a table. A refusal must also leave the database unchanged. */
export function scenarios(title: string, rows: Scenario[], options: StartOptions = {}): void {
  onEachEngine(title, options, (atrium) => {
    for (const row of rows) test(row.when, () => run(atrium(), row))
  })
}

async function run(atrium: TestAtrium, row: Scenario): Promise<void> {
  const refused = row.status >= 400
  const before = refused ? await dump(atrium.service.db) : undefined
  const answer = await atrium.ask(row.request, row)
  assert.equal(answer.status, row.status, answer.text)
  if (refused) {
    assertProblem(answer, row.status, row.code)
    assert.equal(await dump(atrium.service.db), before, 'a refusal changed the database')
  }
  if ('is' in row) assert.deepEqual(answer.body, row.is)
  for (const [member, value] of Object.entries(row.has ?? {})) assert.deepEqual(answer.body[member], value, member)
  for (const text of row.hides ?? []) assert.ok(!answer.text.includes(text), `the response shows "${text}"`)
  await row.check?.(answer, atrium)
}

export function assertProblem(answer: Answered, status: number, code: string | undefined): void {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const { body } = answer
  assert.equal(body.status, status)
  assert.equal(body.type, `/problems/${body.code}`)
  assert.equal(body.request_id, answer.headers.get('x-request-id'))
  for (const member of ['title', 'detail', 'instance']) assert.equal(typeof body[member], 'string', member)
  if (code !== undefined) assert.equal(body.code, code)
}
