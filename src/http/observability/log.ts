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

/** One request that was answered. The route's pattern stands for the path: paths and queries can hold what logs must not. */
export interface RequestEntry extends CompletedRequest {
  /** It was one of `/v1`, of which operators see more than the log says. */
  isPartners: boolean
  /** It asked whether this node is alive or ready, as balancers do every second: only the level debug tells of it. */
  isProbe?: boolean
  /** The cause of a 5xx that is not known otherwise, see `failureOf`. */
  failure?: unknown
  /** Where it is traced and has begun already. */
  trace?: Trace | undefined
}

/** `about` is what lines of the same method, route and status have in common, from `logText`. */
export type RequestLog = (entry: RequestEntry, about: string) => void

/** One line a request, written by hand: it is a good part of the cost of an answer that is at hand. */
export function requestLog(log: Log, stream: DestinationStream): RequestLog {
  if (!log.isLevelEnabled('info')) return (entry) => logFailure(log, entry)
  return (entry, about) => {
    if (entry.failure !== undefined) return logFailure(log, entry)
    if (entry.isProbe) return logProbe(log, entry)
    const { requestId, partner, durationMs, code } = entry
    const who = partner === undefined ? '' : `,"partner":${JSON.stringify(partner)}`
    const why = code === undefined ? '' : `,"code":"${code}"`
    const duration = Math.round(durationMs * 100) / 100
    stream.write(
      `{"level":"info","time":"${readClock().iso}","request_id":"${requestId}"${who}${about}${duration}${why},"msg":"request"}\n`,
    )
  }
}

function logProbe(log: Log, { requestId, method, route, status, durationMs }: RequestEntry): void {
  log.debug({ request_id: requestId, method, route, status, duration_ms: durationMs }, 'request')
}

export function logText(method: string, route: string | null, status: number): string {
  return `,"method":"${method}","route":${JSON.stringify(route)},"status":${status},"duration_ms":`
}

function logFailure(log: Log, { requestId, partner, method, route, status, durationMs, failure }: RequestEntry): void {
  if (failure === undefined) return
  const duration_ms = Math.round(durationMs * 100) / 100
  const line = { request_id: requestId, partner, method, route, status, duration_ms, error: describe(failure) }
  log.error(line, 'request failed')
}

/** The stack says where. */
function describe(failure: unknown) {
  const { stack } = failure as Error
  const places = stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { ...errorMembers(failure), stack: places?.join('\n') }
}

/** Errors of the system, and SQLSTATE classes about connections, transactions, resources and operators. */
const harmlessCodes = /^E[A-Z]+$|^(?:08|25|28|3D|40|53|55|57|58)[0-9A-Z]{3}$/

/** What the log says of an error. A message that can quote a value, which the log must not hold, is left out. */
export function errorMembers(error: unknown): { name: string; message: string | undefined; code: unknown } {
  const { name = 'Error', message, code } = error as Error & { code?: unknown }
  const canQuote = error instanceof SyntaxError || (code !== undefined && !harmlessCodes.test(String(code)))
  return { name, message: canQuote ? undefined : message, code }
}

/** For work that is tried again. An outage of the database is logged as one, and not with all the work that waits for it. */
export function warn(log: Log, error: unknown, message: string): void {
  if (error instanceof Refusal && error.code === 'database_unavailable') return
  log.warn({ error: errorMembers(error) }, message)
}

/** For people at a terminal: time, level, message, then the members that are there. */
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

const heldMs = 100
const heldBytes = 16_384
/** A character takes three bytes at most, and its other half none. */
const bytesPerUnit = 3

/** Many lines in one write. Nothing is held for longer than a moment, nor when the process ends. */
export function gatheringStream(out: Writable): DestinationStream {
  let held = Buffer.allocUnsafeSlow(heldBytes)
  let length = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (length === 0) return
    const lines = held.subarray(0, length)
    length = 0
    out.write(lines)
    // What was not taken at once stays where it is until it is: the next lines go elsewhere.
    if (out.writableLength > 0) held = Buffer.allocUnsafeSlow(heldBytes)
  }
  process.on('exit', flush)
  return {
    write(line) {
      const atMost = line.length * bytesPerUnit
      if (length + atMost > heldBytes) flush()
      if (atMost > heldBytes) return void out.write(line)
      length += held.write(line, length)
      timer ??= setTimeout(flush, heldMs).unref()
    },
  }
}
