import type { Socket } from 'node:net'
import pg from 'pg'

// The only file that uses internals of pg, in order to pipeline several statements with a single Sync, which pg's public
// interface cannot do. Relied on: a client's connection writes protocol messages, and a submitted query is an object
// whose handlers the client calls. test/storage/postgres-driver.test.ts is the contract test for upgrades of pg.

/** A column's value in text format; null for SQL null. */
export type Text = string | null

/** The protocol connection of a client: writes messages, and emits an event for each message of the server. */
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

/** Sends the messages in one write, followed by one Sync: the server responds to all of them at once. */
export function sendWithSync(wire: Wire, send: () => void): void {
  wire.stream.cork()
  try {
    send()
    wire.sync()
  } finally {
    wire.stream.uncork()
  }
}

/** Prepares a statement, replacing one of the same name, and requests a description of its columns. */
export function prepare(wire: Wire, name: string, text: string): void {
  wire.close({ type: 'S', name })
  wire.parse({ name, text, types: [] })
  wire.describe({ type: 'S', name })
}

export function execute(wire: Wire, statement: string, values: (string | Buffer | null)[]): void {
  wire.bind({ statement, values })
  wire.execute({ portal: '', rows: 0 })
}

/** The handlers that a client calls on a submitted query. */
export interface QueryHandlers {
  submit(wire: Wire): null
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { fields: Text[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** The base class of a submitted query, for the handlers that need no change. */
export const Query = pg.Query as unknown as new (config: object) => object

export function asSubmittable(query: QueryHandlers): pg.Submittable {
  return query as unknown as pg.Submittable
}
