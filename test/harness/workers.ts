import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Serving } from './command.ts'
import { type Connection, connectTo } from './connection.ts'

const run = promisify(execFile)

/** Lists the child processes of a served command by their ids. */
export async function workersOf({ child }: Serving): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
  const rows = stdout.trim().split('\n')
  const family = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return family.filter(([, parent]) => parent === child.pid).map(([pid]) => pid as number)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(20)) {
    const found = await look()
    if (found !== undefined && found !== false) return found
  }
  throw new Error(`not in time: ${what}`)
}

const health = 'GET /healthz HTTP/1.1\r\nHost: atrium\r\n\r\n'

/**
 * Sends a whole request and the beginning of another at once: when the first response arrives, the other is in progress.
 * If that response closed the connection, as a worker with too many may do, sends both over a new one.
 */
export async function begin(connection: Connection, beginning: string): Promise<void> {
  for (let isUnderWay = false; !isUnderWay; ) {
    connection.send(health + beginning)
    const answer = await connection.answer()
    if (answer?.status !== 200) throw new Error('the request before it got no response')
    isUnderWay = answer.headers.connection !== 'close'
  }
}

/** Opens idle connections to each worker of a server. */
export async function idleOn(url: string): Promise<Connection[]> {
  const idle = await connections(8, url)
  await Promise.all(idle.map((one) => begin(one, '')))
  return idle
}

/** Time until each worker has got the signal to end; idle connections are closed first. */
export async function untilLetGo(idle: Connection[]): Promise<void> {
  await Promise.all(idle.map((one) => one.answer()))
}

/** Connections that a server may close with a response: the next request then uses another one. */
export function connections(count: number, url: string): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => lasting(url)))
}

async function lasting(url: string): Promise<Connection> {
  let current = await connectTo(url)
  return {
    send: (text) => current.send(text),
    answer: async (withinMs) => {
      const answer = await current.answer(withinMs)
      if (answer?.headers.connection === 'close') current = await connectTo(url).catch(() => current)
      return answer
    },
    close: () => current.close(),
  }
}

export function request(line: string, token: string, body?: object): { head: string; body: string } {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type = text === '' ? [] : ['Content-Type: application/json', `Content-Length: ${text.length}`]
  const lines = [`${line} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${token}`, ...type]
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body: text }
}

export async function ask(connection: Connection, line: string, token: string, body?: object, withinMs = 30_000) {
  const { head, body: text } = request(line, token, body)
  connection.send(head + text)
  const answer = await connection.answer(withinMs)
  return answer && { ...answer, json: () => JSON.parse(answer.body) }
}
