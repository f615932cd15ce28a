declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  export function to(statement: string): Submittable & Readable
  export function from(statement: string): Submittable & Writable
}
