import pg from 'pg'
import type { Statement, Value } from '../statement.ts'
import { Messages } from './messages.ts'
import type { Row, Text } from './replies.ts'

type Rows = Record<string, unknown>[]
export type Prepared = Pick<Statement, 'name' | 'text'> & Partial<Pick<Statement, 'asBytes'>>

/** One statement of a batch, and who waits for it. */
export interface Part {
  statement: Prepared
  values: Value[]
  /** `command` is what the server says that it has done. */
  resolve(rows: Rows, command: string): void
  reject(error: Error): void
}

/** A column of a statement's rows: its name and how its text is read. */
export interface Column {
  name: string
  read(text: string): unknown
}

/** What a connection knows of the statements that it has prepared, by their names. */
export type Shapes = Map<string, Column[]>

type ReaderOf = (type: number) => Column['read']

// What the driver calls on its way, and what it keeps for itself.
const Query = pg.Query as unknown as new (config: object) => object
const messages = new Messages()

/**
 * Statements that leave in one write and are answered in one: they end with the only point at which the server says how far it is,
 * so that it does not answer each of them on its own. When one fails, those after it are not carried out, and fail as well.
 */
export class Batch extends Query {
  readonly parts: Part[]
  readonly #shapes: Shapes
  readonly #readerOf: ReaderOf
  #at = 0
  #rows: Rows = []
  #columns: Column[] | undefined

  constructor(parts: Part[], shapes: Shapes, readerOf: ReaderOf) {
    super({ text: '' })
    this.parts = parts
    this.#shapes = shapes
    this.#readerOf = readerOf
  }

  submit({ stream }: { stream: NodeJS.WritableStream }): null {
    const prepared = new Set<string>()
    for (const { statement, values } of this.parts) {
      const { name, text } = statement
      if (!this.#shapes.has(name) && !prepared.has(name)) {
        messages.prepare(name, text)
        prepared.add(name)
      }
      messages.execute(name, values)
    }
    stream.write(messages.take())
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, read: this.#readerOf(dataTypeID) }))
    this.#shapes.set(this.#part.statement.name, columns)
  }

  handleDataRow(sent: Row): void {
    const { name, asBytes } = this.#part.statement
    this.#columns ??= this.#shapes.get(name) as Column[]
    this.#rows.push(asBytes ? bytesAndTexts(this.#columns, sent) : fromTexts(this.#columns, sent.fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { statement, resolve } = this.#part
    const rows = this.#rows
    this.#rows = []
    this.#columns = undefined
    this.#at++
    if (!this.#shapes.has(statement.name)) this.#shapes.set(statement.name, [])
    resolve(rows, text)
  }

  handleError(error: Error): void {
    for (const { reject } of this.parts.slice(this.#at)) reject(error)
    this.#at = this.parts.length
  }

  handleReadyForQuery(): void {}

  get #part(): Part {
    return this.parts[this.#at] as Part
  }
}

function fromTexts(columns: Column[], texts: Text[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const { name, read } = columns[index] as Column
    const text = texts[index] as Text
    row[name] = text === null ? null : read(text)
  }
  return row
}

function bytesAndTexts([first, ...others]: Column[], sent: Row): Record<string, unknown> {
  return { [(first as Column).name]: sent.first, ...fromTexts(others, sent.texts(1)) }
}
