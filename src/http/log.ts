import type { FastifyInstance } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export function createLog(level: string, stream: DestinationStream): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: levelName } }, stream)
}

function levelName(label: string): { level: string } {
  return { level: label }
}

/** One line a request. The route's pattern stands for the path: paths and queries can hold what logs must not. */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      request_id: request.id,
      partner: request.caller?.partner.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    }
    if (request.failure !== undefined) log.error({ ...line, error: describe(request.failure) }, 'request failed')
    else log.info(line, 'request')
  })
}

/** The stack says where; an engine's message can hold values, so of others than our own only the name is kept. */
function describe(failure: unknown): { name: string; code: unknown; stack: string | undefined } {
  const { name = 'Error', code, stack } = failure as Error & { code?: unknown }
  return {
    name,
    code,
    stack: stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  }
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
