import type { Socket } from 'node:net'
import pg from 'pg'
import { asBuffer, bytesOf } from '../../domain/bytes.ts'
import type { Statement, Value } from '../statement.ts'

// The only file that uses internals of the driver, `pg`, whose public interface cannot send several statements with one
// Sync message. Run test/storage/postgres-driver.test.ts after upgrades of `pg`: it checks the two facts relied on,
// that the `connection` of a client writes protocol messages, and that a client calls the handlers of a submitted
// query.

/** The value of a column in PostgreSQL's text format; null for an SQL null. */
type Text = string | null

/** The part of a `pg` client that speaks the protocol; it emits an event for each message from the server. */
interface Wire {
  readonly stream: Socket
  close(message: { type: 'S'; name: string }): void
  parse(query: { name: string; text: string; types: [] }): void
  describe(message: { type: 'S'; name: string }): void
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  emit(event: 'error', error: Error): void
  on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
  on(event: 'notice', listener: (notice: { routine?: string }) => void): void
  on(event: 'errorMessage', listener: (error: Error & { code?: string }) => void): void
}

export function wireOf(client: pg.Client): Wire {
  return (client as unknown as { connection: Wire }).connection
}

/** Sends all messages and a Sync message, after which the server responds, in one write. */
export function sendWithSync(wire: Wire, send: () => void): void {
  wire.stream.cork()
  try {
    send()
    wire.sync()
  } finally {
    wire.stream.uncork()
  }
}

/** Replaces the prepared statement of the same name, if any. */
export function prepare(wire: Wire, name: string, text: string): void {
  wire.close({ type: 'S', name })
  wire.parse({ name, text, types: [] })
  wire.describe({ type: 'S', name })
}

export function execute(wire: Wire, statement: string, values: (string | Buffer | null)[]): void {
  wire.bind({ statement, values })
  wire.execute({ portal: '', rows: 0 })
}

/** The methods of a submitted query that the `pg` client calls when messages arrive. */
export interface QueryHandlers {
  submit(wire: Wire): null
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { fields: Text[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** Provides the handlers that a subclass does not define itself. */
export const Query = pg.Query as unknown as new (config: object) => object

export function asSubmittable(query: QueryHandlers): pg.Submittable {
  return query as unknown as pg.Submittable
}

type Rows = Record<string, unknown>[]
export type Prepared = Pick<Statement, 'name' | 'text'> & Partial<Pick<Statement, 'asBytes'>>

export interface PendingQuery {
  statement: Prepared
  values: Value[]
  /** `command` is the command tag, such as `COMMIT`; only from a `Batch`. */
  resolve(rows: Rows, command?: string): void
  reject(error: Error): void
}

interface Column {
  name: string
  read(text: string): unknown
}

/** The result columns of each statement that was prepared on one connection, by the statement's name. */
export type Shapes = Map<string, Column[]>

type ReaderOf = (type: number) => Column['read']

/**
 * Several prepared statements with a single Sync message, so that they take one round trip. When a statement fails, the
 * server skips those after it, whose promises then reject as well.
 */
export class Batch extends Query implements QueryHandlers {
  readonly queries: PendingQuery[]
  readonly #shapes: Shapes
  readonly #readerOf: ReaderOf
  /** The index of the statement to which the next message of the server belongs. */
  #next = 0
  #rows: Rows = []
  #columns: Column[] | undefined

  constructor(queries: PendingQuery[], shapes: Shapes, readerOf: ReaderOf) {
    super({ text: '' })
    this.queries = queries
    this.#shapes = shapes
    this.#readerOf = readerOf
  }

  submit: QueryHandlers['submit'] = (wire) => {
    const prepared = new Set<string>()
    sendWithSync(wire, () => {
      for (const { statement, values } of this.queries) {
        const { name, text } = statement
        if (!this.#shapes.has(name) && !prepared.has(name)) {
          prepare(wire, name, text)
          prepared.add(name)
        }
        execute(wire, name, values.map(toParameter))
      }
    })
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, read: this.#readerOf(dataTypeID) }))
    this.#shapes.set(this.#current.statement.name, columns)
  }

  handleDataRow({ fields }: { fields: Text[] }): void {
    const { name, asBytes } = this.#current.statement
    this.#columns ??= this.#shapes.get(name) as Column[]
    const row = parseRow(this.#columns, fields)
    const [first] = this.#columns
    if (asBytes && first !== undefined) row[first.name] = bytesOf(fields[0] as string)
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { statement, resolve } = this.#current
    const rows = this.#rows
    this.#rows = []
    this.#columns = undefined
    this.#next++
    if (!this.#shapes.has(statement.name)) this.#shapes.set(statement.name, [])
    resolve(rows, text)
  }

  handleError(error: Error): void {
    for (const { reject } of this.queries.slice(this.#next)) reject(error)
    this.#next = this.queries.length
  }

  handleReadyForQuery(): void {}

  get #current(): PendingQuery {
    return this.queries[this.#next] as PendingQuery
  }
}

function parseRow(columns: Column[], texts: Text[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const { name, read } = columns[index] as Column
    const text = texts[index] as Text
    row[name] = text === null ? null : read(text)
  }
  return row
}

function toParameter(value: Value): string | Buffer | null {
  if (value === null) return null
  return typeof value === 'object' ? asBuffer(value) : String(value)
}
