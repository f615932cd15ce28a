/** Conflicts after which a retry can succeed: serialization failure, deadlock, and a foreign key to a deleted row. */
const conflicts = new Set(['40001', '40P01', '23503'])
/** `read_only_sql_transaction`: the server is a standby or was made read-only. */
export const readOnlyCode = '25006'
/** `cannot_connect_now`. Atrium also uses it for a server that is not the standby it should be. */
export const notStandbyCode = '57P03'
/** `invalid_sql_statement_name`: a pooler switched to a server process that has not prepared the statement. */
export const sessionChangedCode = '26000'
/** Node's code for a timeout. Used when a server accepts a connection but does not respond. */
export const timeoutCode = 'ETIMEDOUT'
/** `too_many_connections`. Atrium also uses it when no connection of its own pool became free in time. */
export const poolTimeoutCode = '53300'
/**
 * SQLSTATE (PostgreSQL manual, appendix A) of an unavailable database: failed connections, lack of resources, shutdown,
 * I/O errors, lock and statement timeouts, read-only servers.
 */
const unavailable = /^(08(?!P01)|53|57P|58|55P03|57014|25P03|25006)/
/** The codes after which another server may be the primary. */
const unreachable = /^(08(?!P01)|57P|25006|26000)/
const unreachableSystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Matches the messages of driver errors that have no code. */
const brokenConnection = /^(Connection terminated|Client (has encountered a connection error|was closed))/

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || unavailable.test(sqlState(error))
}

/** Returns whether no connection leads to a server that accepts writes, so that the primary must be searched for. */
export function isUnreachable(error: unknown): boolean {
  if (unreachableSystem.has(codeOf(error)) || brokenConnection.test(messageOf(error))) return true
  return unreachable.test(sqlState(error)) || isRefusedByPooler(error)
}

/** Returns whether an error is PgBouncer's own: all of these, such as for an unreachable server, have one code. */
function isRefusedByPooler(error: unknown): boolean {
  return codeOf(error) === '08P01' && (error as { severity?: string }).severity === 'FATAL'
}

export function errorWithCode(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code })
}

/** An error for a commit on the primary whose wait for the synchronous standby was cancelled. */
export function inDoubt(): Error {
  return errorWithCode('08007', 'the standby may not have what was committed')
}

function sqlState(error: unknown): string {
  const code = codeOf(error)
  return code.length === 5 ? code : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
