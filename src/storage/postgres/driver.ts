import type { Socket } from 'node:net'
import pg from 'pg'

// The only file that touches what pg keeps for itself. test/storage/postgres-driver.test.ts says what is relied on: its
// messages are sent through the connection of a client, and a query is an object whose handlers the client calls.

/** The text of a column; null as in the database. */
export type Text = string | null

/** A client's own connection, which writes messages and emits those of the server. */
interface Wire {
  readonly stream: Socket
  close(message: { type: 'S'; name: string }): void
  parse(query: { name: string; text: string; types: [] }): void
  describe(message: { type: 'S'; name: string }): void
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void
  execute(message: { portal: string; rows: number }): void
  sync(): void
  emit(event: 'error', error: Error): void
  on(event: 'parameterStatus', heard: (status: { parameterName: string; parameterValue: string }) => void): void
  on(event: 'notice', heard: (notice: { routine?: string }) => void): void
  on(event: 'errorMessage', heard: (error: Error & { code?: string }) => void): void
}

export function wireOf(client: pg.Client): Wire {
  return (client as unknown as { connection: Wire }).connection
}

/** Sends statements in one write, answered in one: `sync` is the only point at which the server says how far it is. */
export function sendTogether(wire: Wire, send: () => void): void {
  wire.stream.cork()
  try {
    send()
    wire.sync()
  } finally {
    wire.stream.uncork()
  }
}

/** Prepares a statement in place of one that has its name, and asks what its rows look like. */
export function prepare(wire: Wire, name: string, text: string): void {
  wire.close({ type: 'S', name })
  wire.parse({ name, text, types: [] })
  wire.describe({ type: 'S', name })
}

export function execute(wire: Wire, statement: string, values: (string | Buffer | null)[]): void {
  wire.bind({ statement, values })
  wire.execute({ portal: '', rows: 0 })
}

/** What a client calls on a query that it was given. */
export interface QueryHandlers {
  submit(wire: Wire): null
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { fields: Text[] }): void
  handleCommandComplete(message: { text: string }): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/** Its other handlers are pg's own. */
export const Query = pg.Query as unknown as new (config: object) => object

export function asSubmittable(query: QueryHandlers): pg.Submittable {
  return query as unknown as pg.Submittable
}
