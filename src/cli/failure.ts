import { CommanderError } from 'commander'
import { Refusal } from '../domain/refusal.ts'

/** An error that the user can fix; the message is one line that says what happened and what to do. */
export class Failure extends Error {}

const usageError = 2

export function report(error: unknown, withStack: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  if (error instanceof CommanderError && error.code === 'commander.help') return usageError
  process.stderr.write(`atrium: ${explain(error)}\n`)
  if (withStack && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return error instanceof CommanderError ? usageError : 1
}

export function explain(error: unknown): string {
  if (error instanceof Refusal && error.code === 'database_unavailable') {
    return `the database cannot be reached (${reason(error.cause)}): check that it is running, and ATRIUM_DATABASE`
  }
  if (isRefusedConnection(error)) return `the database cannot be used (${reason(error)}): check ATRIUM_DATABASE`
  if (isForeignAddress(error)) return `${reason(error)}: set ATRIUM_HOST to an address of this machine`
  return reason(error)
}

export function openingFailure(error: unknown): Failure {
  const text = reason(error)
  return new Failure(/ATRIUM_/.test(text) ? text : `the database cannot be opened (${text}): check ATRIUM_DATABASE`)
}

/** Recognizes a failed connection, an invalid URL, and SQLSTATE classes 28 (authorization) and 3D (database name). */
function isRefusedConnection(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return syscall === 'connect' || code === 'ERR_INVALID_URL' || /^(28|3D)[0-9A-Z]{3}$/.test(code)
}

function isForeignAddress(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo'
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reason).join('; ')
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().replace(/\s*\n\s*/g, ' ') || 'unknown error'
}
