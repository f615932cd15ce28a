import type { Socket } from 'node:net'
import pg from 'pg'

// The only file that uses internals of the driver, `pg`, whose public interface cannot send several statements with one
// Sync message. It relies on two facts: the `connection` of a client writes protocol messages, and a submitted query is
// an object whose handlers the client calls. Run test/storage/postgres-driver.test.ts after upgrades of `pg`: it checks
// both.

/** The value of a column in PostgreSQL's text format; null for an SQL null. */
export type Text = string | null

/**
 * The part of a `pg` client that speaks the protocol. Its methods write messages to the server; it emits an event for
 * each message from the server.
 */
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

/**
 * Runs `send` and adds a Sync message. All messages leave in one write, and the server responds to all of them
 * together.
 */
export function sendWithSync(wire: Wire, send: () => void): void {
  wire.stream.cork()
  try {
    send()
    wire.sync()
  } finally {
    wire.stream.uncork()
  }
}

/**
 * Prepares a statement and requests a description of its columns. Replaces the prepared statement of the same name, if
 * any.
 */
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

/** The base class of submitted queries. It provides the handlers that a subclass does not define itself. */
export const Query = pg.Query as unknown as new (config: object) => object

export function asSubmittable(query: QueryHandlers): pg.Submittable {
  return query as unknown as pg.Submittable
}
