import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  asSubmittable,
  execute,
  prepare,
  Query,
  type QueryHandlers,
  sendWithSync,
  wireOf,
} from '../../src/storage/postgres/driver.ts'
import { type FreshDatabase, freshDatabase } from '../harness/databases.ts'

// The contract of driver.ts with undocumented behavior of pg. A new version of pg that fails here needs a new driver.ts.

type Sent = [name: string, text: string, values: (string | Buffer | null)[]]

let database: FreshDatabase
let client: pg.Client
before(async () => {
  database = await freshDatabase('postgres')
  client = new pg.Client({ connectionString: database.url, pipeline: true } as pg.ClientConfig)
  client.on('error', () => {})
  await client.connect()
})
after(async () => {
  await client.end().catch(() => {})
  await database.drop()
})

/** A query that records the calls of its handlers. */
class Noting extends Query implements QueryHandlers {
  readonly heard: unknown[] = []
  readonly ended = Promise.withResolvers<void>()
  readonly #sent: Sent[]

  constructor(...sent: Sent[]) {
    super({ text: '' })
    this.#sent = sent
  }

  submit: QueryHandlers['submit'] = (wire) => {
    this.heard.push('submit')
    sendWithSync(wire, () => {
      for (const [name, text, values] of this.#sent) {
        prepare(wire, name, text)
        execute(wire, name, values)
      }
    })
    return null
  }

  handleRowDescription({ fields }: Parameters<QueryHandlers['handleRowDescription']>[0]): void {
    this.heard.push(fields.map(({ name, dataTypeID }) => [name, dataTypeID]))
  }

  handleDataRow({ fields }: Parameters<QueryHandlers['handleDataRow']>[0]): void {
    this.heard.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.heard.push(text)
  }

  handleError(error: Error & { code?: string }): void {
    this.heard.push(error.code ?? error.message)
    this.ended.resolve()
  }

  handleReadyForQuery(): void {
    this.ended.resolve()
  }
}

const send = (query: Noting) => {
  client.query(asSubmittable(query))
  return query.ended.promise
}

test('a query receives its statements in order, and rows as text', async () => {
  const query = new Noting(
    ['one', 'select $1::text as a, $2::bigint as b', ['é', null]],
    ['two', 'select $1::text as c where false', [Buffer.from('as text')]],
    ['three', 'select $1::text as d', [Buffer.from('"Hôtel"')]],
  )
  await send(query)
  const first = [
    [
      ['a', 25],
      ['b', 20],
    ],
    ['é', null],
    'SELECT 1',
  ]
  assert.deepEqual(query.heard, ['submit', ...first, [['c', 25]], 'SELECT 0', [['d', 25]], ['"Hôtel"'], 'SELECT 1'])
})

test('queries are sent without waiting for earlier responses', async () => {
  const slow = new Noting(['slow', 'select pg_sleep(0.05)', []])
  const next = new Noting(['next', 'select 1 as n', []])
  const ended = Promise.all([send(slow), send(next)])
  assert.deepEqual([slow.heard, next.heard], [['submit'], ['submit']])
  await ended
  assert.equal(next.heard.at(-1), 'SELECT 1')
})

test('when a statement fails, its query receives the error, and the next query works', async () => {
  const failing = new Noting(['fails', 'select 1 / $1::int as n', ['0']], ['unasked', 'select 2 as n', []])
  await send(failing)
  assert.equal(failing.heard.at(-1), '22012')
  const next = new Noting(['again', 'select 3 as n', []])
  await send(next)
  assert.deepEqual(next.heard.at(-2), ['3'])
})

test('the connection emits changed settings, notices and errors', async () => {
  const wire = wireOf(client)
  const heard: unknown[] = []
  wire.on('parameterStatus', ({ parameterName, parameterValue }) => heard.push([parameterName, parameterValue]))
  wire.on('notice', ({ routine }) => heard.push(typeof routine))
  wire.on('errorMessage', ({ code }) => heard.push(code))
  await client.query("set application_name = 'contract'")
  await client.query("do $$ begin raise notice 'x'; end $$")
  await assert.rejects(client.query('select 1 / 0'))
  assert.deepEqual(heard, [['application_name', 'contract'], 'string', '22012'])
})

test('an error on the connection fails pending queries', async () => {
  const waiting = new Noting(['waits', 'select pg_sleep(60)', []])
  const ended = send(waiting)
  const wire = wireOf(client)
  const closed = once(wire.stream, 'close')
  wire.emit('error', Object.assign(new Error('cut'), { code: 'ETIMEDOUT' }))
  wire.stream.destroy()
  await ended
  assert.equal(waiting.heard.at(-1), 'ETIMEDOUT')
  await closed
})
