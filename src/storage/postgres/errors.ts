/** Another transaction was in the way (serialisation, deadlock, a row that went away): the next try sees it. */
const conflicts = new Set(['40001', '40P01', '23503'])
/** What a standby, or a server that was set to read only, says to a change. */
export const readOnlyCode = '25006'
/** Another server process answers than the one that prepared the statement: a pooler has changed it. */
export const swappedCode = '26000'
/** Of a server that is there and says nothing. */
export const noAnswerCode = 'ETIMEDOUT'
/** Of a connection that nobody gave back in time. */
export const lineTooLongCode = '53300'
/** Broken connections, lack of resources, shutdown, I/O errors, a lock or statement that took too long, a standby. */
const unavailable = /^(08(?!P01)|53|57P|58|55P03|57014|25P03|25006)/
const awayState = /^(08(?!P01)|57P|25006|26000)/
const unavailableSystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** The driver has no codes for these. */
const brokenConnection = /^(Connection terminated|Client (has encountered a connection error|was closed))/

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

export function isUnavailable(error: unknown): boolean {
  return isAway(error) || unavailable.test(sqlState(error))
}

/** No connection can be had, or none that takes writes: worth looking for another server. */
export function isAway(error: unknown): boolean {
  if (unavailableSystem.has(codeOf(error)) || brokenConnection.test(messageOf(error))) return true
  return awayState.test(sqlState(error)) || isRefusedByPooler(error)
}

/** PgBouncer gives this code to all that it says for itself, such as that it does not reach its server. */
function isRefusedByPooler(error: unknown): boolean {
  return codeOf(error) === '08P01' && (error as { severity?: string }).severity === 'FATAL'
}

export function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code })
}

export function inDoubt(): Error {
  return coded('08007', 'the standby may not have what was committed')
}

function sqlState(error: unknown): string {
  const code = codeOf(error)
  return code.length === 5 ? code : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
