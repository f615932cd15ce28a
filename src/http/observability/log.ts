import type { Writable } from 'node:stream'
import { type DestinationStream, type Logger, pino } from 'pino'
import { Refusal } from '../../domain/refusal.ts'
import type { CompletedRequest } from '../../operations/background/request-log-buffer.ts'
import { readClock } from '../clock.ts'
import type { Trace } from './telemetry/trace.ts'

export type Log = Logger

export function createLog(level: string, stream: DestinationStream): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: levelName } }, stream)
}

function levelName(label: string): { level: string } {
  return { level: label }
}

/** A completed request, for the logs. Has the pattern of the route and no URL, which can contain personal data. */
export interface RequestEntry extends CompletedRequest {
  /** Whether the path is in `/v1`: such requests are also shown in the console's request log. */
  isPartners: boolean
  /** Whether the path is /healthz or /readyz. Load balancers request them each second, so their log level is debug. */
  isProbe?: boolean
  /** The unexpected error that caused a 500; see `failureOf`. */
  failure?: unknown
  trace?: Trace | undefined
}

export type RequestLog = (entry: RequestEntry) => void

/** Builds the JSON of a line itself, faster than the logger: this is a notable part of the cost of a cached read. */
export function requestLog(log: Log, stream: DestinationStream): RequestLog {
  if (!log.isLevelEnabled('info')) return (entry) => logFailure(log, entry)
  return (entry) => {
    if (entry.failure !== undefined) return logFailure(log, entry)
    if (entry.isProbe) return logProbe(log, entry)
    const { requestId, partner, method, route, status, durationMs, code } = entry
    const partnerMember = partner === undefined ? '' : `,"partner":${JSON.stringify(partner)}`
    const codeMember = code === undefined ? '' : `,"code":"${code}"`
    const duration = Math.round(durationMs * 100) / 100
    const common = `,"method":"${method}","route":${JSON.stringify(route)},"status":${status},"duration_ms":`
    stream.write(
      `{"level":"info","time":"${readClock().iso}","request_id":"${requestId}"${partnerMember}${common}${duration}${codeMember},"msg":"request"}\n`,
    )
  }
}

function logProbe(log: Log, { requestId, method, route, status, durationMs }: RequestEntry): void {
  log.debug({ request_id: requestId, method, route, status, duration_ms: durationMs }, 'request')
}

function logFailure(log: Log, { requestId, partner, method, route, status, durationMs, failure }: RequestEntry): void {
  if (failure === undefined) return
  const duration_ms = Math.round(durationMs * 100) / 100
  const line = { request_id: requestId, partner, method, route, status, duration_ms, error: describe(failure) }
  log.error(line, 'request failed')
}

/** Returns what is logged about an error: name, code and stack, without texts that could hold personal data. */
function describe(failure: unknown) {
  const { stack } = failure as Error
  const frames = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { ...errorMembers(failure), stack: frames?.join('\n') }
}

/**
 * Error codes of the operating system, and SQLSTATE classes about connections, transactions and resources. Messages of
 * errors with these codes never quote values of a row.
 */
const harmlessCodes = /^E[A-Z]+$|^(?:08|25|28|3D|40|53|55|57|58)[0-9A-Z]{3}$/

/** Returns what may be logged about an error. Omits its message if that can quote a value, such as a guest's name. */
export function errorMembers(error: unknown): { name: string; message: string | undefined; code: unknown } {
  const { name = 'Error', message, code } = error as Error & { code?: unknown }
  const canQuote = error instanceof SyntaxError || (code !== undefined && !harmlessCodes.test(String(code)))
  return { name, message: canQuote ? undefined : message, code }
}

/** Logs a failed task. Omits failures caused by an unavailable database, which is logged once for all tasks. */
export function warn(log: Log, error: unknown, message: string): void {
  if (error instanceof Refusal && error.code === 'database_unavailable') return
  log.warn({ error: errorMembers(error) }, message)
}

export function readableStream(out: NodeJS.WritableStream): DestinationStream {
  return {
    write(line) {
      const { time, level, msg, ...rest } = JSON.parse(line) as Record<string, unknown>
      const members = Object.entries(rest).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      out.write(`${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${msg}  ${members.join(' ')}\n`)
    },
  }
}

const flushMs = 100
const bufferBytes = 16_384
/** The maximum number of bytes in UTF-8 for one UTF-16 code unit: four-byte characters consist of two units. */
const maxBytesPerUnit = 3

/** Returns a stream that collects lines and writes them every `flushMs`, when its buffer is full, and at the exit. */
export function batchingStream(out: Writable): DestinationStream {
  let buffer = Buffer.allocUnsafeSlow(bufferBytes)
  let length = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (length === 0) return
    const lines = buffer.subarray(0, length)
    length = 0
    out.write(lines)
    // If `out` could not write the data at once, it still reads from this buffer, so the next lines go to a new one.
    if (out.writableLength > 0) buffer = Buffer.allocUnsafeSlow(bufferBytes)
  }
  process.on('exit', flush)
  return {
    write(line) {
      const maxBytes = line.length * maxBytesPerUnit
      if (length + maxBytes > bufferBytes) flush()
      if (maxBytes > bufferBytes) return void out.write(line)
      length += buffer.write(line, length)
      timer ??= setTimeout(flush, flushMs).unref()
    },
  }
}
