import { asBuffer, bytesOf } from '../../domain/bytes.ts'
import type { Statement, Value } from '../statement.ts'
import { execute, prepare, Query, type QueryHandlers, sendTogether, type Text } from './driver.ts'

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

/**
 * Statements that leave in one write and are answered in one: they end with the only point at which the server says how far it is,
 * so that it does not answer each of them on its own. When one fails, those after it are not carried out, and fail as well.
 */
export class Batch extends Query implements QueryHandlers {
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

  submit: QueryHandlers['submit'] = (wire) => {
    const prepared = new Set<string>()
    sendTogether(wire, () => {
      for (const { statement, values } of this.parts) {
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
    this.#shapes.set(this.#part.statement.name, columns)
  }

  handleDataRow({ fields }: { fields: Text[] }): void {
    const { name, asBytes } = this.#part.statement
    this.#columns ??= this.#shapes.get(name) as Column[]
    const row = fromTexts(this.#columns, fields)
    const [first] = this.#columns
    if (asBytes && first !== undefined) row[first.name] = bytesOf(fields[0] as string)
    this.#rows.push(row)
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

function toParameter(value: Value): string | Buffer | null {
  if (value === null) return null
  return typeof value === 'object' ? asBuffer(value) : String(value)
}
