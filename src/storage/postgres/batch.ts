import { asBuffer, bytesOf } from '../../domain/bytes.ts'
import type { Statement, Value } from '../statement.ts'
import { execute, prepare, Query, type QueryHandlers, sendWithSync, type Text } from './driver.ts'

type Rows = Record<string, unknown>[]
export type Prepared = Pick<Statement, 'name' | 'text'> & Partial<Pick<Statement, 'asBytes'>>

/** A statement that waits for its result, with callbacks that receive it. */
export interface PendingQuery {
  statement: Prepared
  values: Value[]
  /** Receives the rows and, from a `Batch`, the server's command tag, such as `COMMIT`. */
  resolve(rows: Rows, command?: string): void
  reject(error: Error): void
}

/** A column of a result: its name, and the function that parses its values from text. */
export interface Column {
  name: string
  read(text: string): unknown
}

/** The result columns of each statement that was prepared on one connection, by the statement's name. */
export type Shapes = Map<string, Column[]>

type ReaderOf = (type: number) => Column['read']

/**
 * Several prepared statements that are sent at once, followed by a single Sync message, so that they take one round
 * trip. The `pg` client treats them as one query. When a statement fails, the server skips the statements after it,
 * whose promises then reject as well.
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
