import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Serving } from './command.ts'
import { type Connection, connectTo } from './connection.ts'

const run = promisify(execFile)

/** The processes that a served command has started, by their ids. */
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
 * Sends a whole request and the beginning of another at once: when the first is answered, the other is under way. Unless
 * that answer ended the connection, as it may when a worker has more than its share: then both are sent over the next.
 */
export async function begin(connection: Connection, beginning: string): Promise<void> {
  for (let isUnderWay = false; !isUnderWay; ) {
    connection.send(health + beginning)
    const answer = await connection.answer()
    if (answer?.status !== 200) throw new Error('the request before it was not answered')
    isUnderWay = answer.headers.connection !== 'close'
  }
}

/** Connections to each process of a server that have nothing to do. */
export async function idleOn(url: string): Promise<Connection[]> {
  const idle = await connections(8, url)
  await Promise.all(idle.map((one) => begin(one, '')))
  return idle
}

/** By then each process has heard the signal to end: those that have nothing to do are let go first. */
export async function untilLetGo(idle: Connection[]): Promise<void> {
  await Promise.all(idle.map((one) => one.answer()))
}

/** Connections that a server may end with an answer: the next request then goes over another. */
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
