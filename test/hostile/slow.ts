import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { migratedDatabase } from '../harness/databases.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Wire } from '../torture/wire.ts'

/** More than the socket buffers of both ends hold. */
const entries = Array.from({ length: 10_000 }, (_, n) => ({ id: `${n}`, name: '\u{1f6cf}'.repeat(255) }))
const estate = {
  facilities: [
    { id_external: 'f', name: 'F', areas: [{ id: '1', name: 'One' }] },
    { id_external: 'long', name: 'Long', areas_autocomplete_list: entries },
  ],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

const everyMs = 1000
/** Tolerance for the server's sweep interval and a busy machine. */
const slackMs = 8000
const othersWithinMs = 5000

/** What a slow client sends first, what it sends each second, and when it must be disconnected. */
interface Kind {
  name: string
  begin(token: string): string
  next: string
  isReading: boolean
  withinMs: number
}

const head = (line: string, token: string, ...more: string[]) =>
  [`${line} HTTP/1.1`, 'Host: atrium', `Authorization: Bearer ${token}`, ...more, ''].join('\r\n')
const json = ['Content-Type: application/json', 'Content-Length: 1000']

const kinds: Kind[] = [
  { name: 'headers', begin: (token) => head('GET /v1/me', token), next: 'X: y\r\n', isReading: true, withinMs: 15_000 },
  {
    name: 'bodies',
    begin: (token) => `${head('PATCH /v1/facilities/f/name', token, ...json)}\r\n{"value":"`,
    next: 'x',
    isReading: true,
    withinMs: 30_000,
  },
  {
    name: 'readers',
    begin: (token) => `${head('GET /v1/facilities/long/areas_autocomplete_list', token)}\r\n`,
    next: '',
    isReading: false,
    withinMs: 30_000,
  },
  {
    name: 'readers that go on sending',
    begin: (token) => `${head('GET /v1/facilities/long/areas_autocomplete_list', token)}\r\n`,
    next: '\r\n',
    isReading: false,
    withinMs: 30_000,
  },
]

export const slow: Harness = {
  name: 'slow',
  promises: [15],
  title: 'slow clients do not block others',
  unit: 'slow clients',
  target: 'others get responses, slow headers are cut off after 15 s, slow bodies and readers after 30 s',
  counts: { planted: 4, test: 60, torture: 1200 },
  planted: [
    {
      name: 'headers may take their time',
      file: 'src/http/adapters/listener.ts',
      find: 'headersTimeout: headersMs',
      replace: 'headersTimeout: 0',
    },
    {
      name: 'bytes that a client sends count as bytes that it read',
      file: 'src/http/adapters/stalled.ts',
      find: 'return internals._bytesDispatched -',
      replace: 'return socket.bytesRead + internals._bytesDispatched -',
    },
  ],
  run,
}

async function run({ build, count, progress, signal }: Run): Promise<Outcome> {
  const database = await migratedDatabase('sqlite')
  const { p: token = '' } = await fill(database.url, estate)
  const node = await startNode(build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' } })
  const violations: Violation[] = []
  const others = new Others(node.url, token)
  const answering = others.start()
  try {
    const steady = steadyReader(node.url, token)
    const clients = Array.from({ length: count }, (_, n) =>
      slowClient(node.url, token, kinds[n % kinds.length] as Kind, signal),
    )
    let cut = 0
    for (const client of clients) {
      const fault = await client
      if (fault === undefined) progress(++cut)
      else violations.push({ what: fault, history: [] })
      if (violations.length > 0) break
    }
    if (steady.isCut() && !signal.aborted) violations.push({ what: 'a reader that goes on was cut off', history: [] })
    steady.end()
    others.isOver = true
    await answering
    const { answered, longestMs, failures } = others
    if (longestMs > othersWithinMs) failures.push(`another caller waited ${Math.round(longestMs)} ms`)
    violations.push(...failures.map((what) => ({ what, history: [`beside ${count} slow clients`] })))
    return {
      figures: { slow: count, 'cut off': cut, others: answered, 'longest (ms)': Math.round(longestMs) },
      violations,
    }
  } finally {
    others.isOver = true
    await node.end('SIGKILL')
    await database.drop()
  }
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

/** Returns undefined when it was disconnected in time, what is wrong otherwise. */
async function slowClient(url: string, token: string, kind: Kind, signal: AbortSignal): Promise<string | undefined> {
  const socket = open(url)
  const startMs = performance.now()
  if (kind.isReading) socket.resume()
  else socket.pause()
  socket.write(kind.begin(token))
  const timer = setInterval(() => socket.writable && kind.next !== '' && socket.write(kind.next), everyMs)
  // The time of a reader starts with the first byte of its response.
  const limitMs = kind.withinMs + (kind.isReading ? slackMs : 2 * slackMs)
  // A client that reads nothing notices the disconnect only when it writes.
  const isCut = () => socket.destroyed || socket.errored !== null
  while (!isCut() && !signal.aborted && performance.now() - startMs < limitMs) {
    await sleep(1000)
    if (!kind.isReading && performance.now() - startMs > kind.withinMs) socket.write('\r\n')
  }
  clearInterval(timer)
  const fault = isCut() || signal.aborted ? undefined : `slow ${kind.name} were not cut off after ${kind.withinMs} ms`
  socket.destroy()
  return fault
}

/** Reads a little every second, which is allowed. */
function steadyReader(url: string, token: string) {
  const socket = open(url)
  let isCut = false
  socket.once('close', () => {
    isCut = true
  })
  socket.write((kinds[2] as Kind).begin(token))
  socket.on('data', () => socket.pause())
  const timer = setInterval(() => socket.resume(), everyMs)
  return {
    isCut: () => isCut,
    end: () => {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

/** Well-behaved clients. */
class Others {
  readonly #wire: Wire
  readonly #token: string
  readonly failures: string[] = []
  isOver = false
  answered = 0
  longestMs = 0

  constructor(url: string, token: string) {
    this.#wire = new Wire(url)
    this.#token = token
  }

  async start(): Promise<void> {
    const body = '{"value":"F"}'
    const change = head(
      'PATCH /v1/facilities/f/name',
      this.#token,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    )
    const requests = [`${head('GET /v1/facilities/f', this.#token)}\r\n`, `${change}\r\n${body}`]
    while (!this.isOver) {
      for (const bytes of requests) await this.#ask(bytes)
      await sleep(50)
    }
    this.#wire.close()
  }

  async #ask(bytes: string): Promise<void> {
    const startMs = performance.now()
    const answer = await this.#wire.ask({ bytes })
    if (this.isOver) return
    this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
    this.answered++
    if (answer?.status !== 200) this.failures.push(`another caller got ${answer?.status ?? 'no response'}`)
  }
}
