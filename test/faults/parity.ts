import { backUp } from '../../src/operations/estate/backup.ts'
import { restoreBackup } from '../../src/operations/estate/restore.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { withDb } from '../harness/with-db.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { type AtriumNode, runAtrium, startNode } from '../torture/node.ts'
import { textMatched } from '../torture/own-fields.ts'
import { type JsonObject, readJson } from '../torture/plain-json.ts'
import { Random } from '../torture/random.ts'
import { RoomOracle } from '../torture/room-oracle.ts'
import { Wire, type WireAnswer } from '../torture/wire.ts'
import { estate } from './parity/estate.ts'
import { Pairing, same } from './parity/pairing.ts'
import { type Asked, randomRequest } from './parity/requests.ts'

export const parity: Harness = {
  name: 'parity',
  promises: [8],
  title: 'both engines return the same bytes for the same requests, and the right state of rooms',
  unit: 'requests',
  target: '0 differences',
  counts: { planted: 2000, test: 150, torture: 60_000 },
  planted: [
    {
      name: 'a server that sorts text by its own rules',
      file: 'src/storage/migrations/frozen/postgres.ts',
      find: `text: 'text collate "C"'`,
      replace: `text: 'text'`,
    },
    {
      name: 'a server whose whole numbers come as text',
      file: 'src/storage/postgres/connection.ts',
      find: '(oid === int8 ? Number :',
      replace: '(oid === -1 ? Number :',
    },
    textMatched,
    {
      name: 'a call that changes many rooms adds only the first subscription',
      file: 'src/operations/room/bulk-operation.ts',
      find: 'adding(operation.drafts, rules',
      replace: 'adding(operation.drafts.slice(0, 1), rules',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const random = new Random(seed)
  const pairing = new Pairing()
  const oracles = engines.map(() => new RoomOracle())
  const statuses = new Set<number>()
  let changes = 0
  const retries: Asked[] = []
  const violations: Violation[] = []
  let requests = 0
  await withTwins(build, async (wires, tokens) => {
    const begins = await Promise.all(wires.map((wire) => beginOfEvents(wire, tokens)))
    for (; requests < count && violations.length === 0 && !signal.aborted; requests++) {
      const isRetry = retries.length > 0 && random.chance(0.03)
      const asked = isRetry ? random.pick(retries.slice(-latest)) : randomRequest(random, pairing)
      const beginMs = await nextMillisecond()
      const answers = await Promise.all(wires.map((wire, at) => wire.ask(sent(asked, at, tokens, requests))))
      const [one, other] = answers
      pairing.answered(beginMs, Date.now())
      statuses.add(one?.status ?? 0)
      if (one?.status === 200 && !/^(GET|HEAD) /.test(asked.line[0])) changes++
      if (one && isToRetry(asked, one)) retries.push(asked)
      const difference = pairing.difference(textOf(one), textOf(other))
      if (difference !== undefined)
        violations.push(violation(asked, requests, `differently: ${difference}`, one, other))
      const wrong = oracles.map((oracle, at) => judgement(oracle, asked, at, answers[at])).find(Boolean)
      if (wrong !== undefined) violations.push(violation(asked, requests, `wrongly: ${wrong}`, one, other))
      if (requests % 50 === 0) progress(requests)
    }
    for (const [at, wire] of wires.entries()) {
      const wrong = oracles[at]?.judgeEvents(await eventsAfter(wire, tokens, begins[at] as string))
      if (wrong !== undefined) violations.push({ what: `(${engines[at]}) ${wrong}`, history: [] })
    }
  })
  progress(requests)
  return { figures: { requests, changes, statuses: statuses.size, differences: violations.length }, violations }
}

/** Of how many requests with an Idempotency-Key one is sent again. */
const latest = 10

/** Whether a retry changes nothing: of many operations, none may be left to carry out. */
function isToRetry({ headers }: Asked, { status, body }: WireAnswer): boolean {
  const isKeyed = headers.some(([name]) => name === 'Idempotency-Key')
  return isKeyed && status === 200 && !body.includes('"problem":')
}

function judgement(oracle: RoomOracle, { line, body }: Asked, at: number, answer: WireAnswer | undefined) {
  const [method = '', path = ''] = line[at]?.split(' ') ?? []
  return answer && oracle.judge({ method, path, body: body?.[at] }, answer)
}

async function beginOfEvents(wire: Wire, tokens: Record<string, string>): Promise<string> {
  return (await eventsPage(wire, tokens, '')).get('next') as string
}

/** Reads pages until one stays empty after its wait. */
async function eventsAfter(wire: Wire, tokens: Record<string, string>, begin: string): Promise<JsonObject[]> {
  const events: JsonObject[] = []
  for (let after = begin; ; ) {
    const page = await eventsPage(wire, tokens, `?after=${after}&wait=2&limit=1000`)
    const found = page.get('data') as JsonObject[]
    if (found.length === 0) return events
    events.push(...found)
    after = page.get('next') as string
  }
}

async function eventsPage(wire: Wire, tokens: Record<string, string>, query: string): Promise<JsonObject> {
  const asked: Asked = { line: same(`GET /v1/events${query}`), as: 'everything', headers: [], body: undefined }
  const answer = await wire.ask(sent(asked, 0, tokens, 0))
  if (answer?.status !== 200) throw new Error(`the request for events returned ${answer?.status} ${answer?.body}`)
  return readJson(answer.body) as JsonObject
}

/** Timestamps are matched by request, so no two requests share a millisecond. */
async function nextMillisecond(): Promise<number> {
  const lastMs = Date.now()
  while (Date.now() === lastMs) await new Promise(setImmediate)
  return Date.now()
}

/** Starts two nodes on databases with equal rows; the build creates both, so that each has the build's schema. */
async function withTwins(
  build: string,
  work: (wires: Wire[], tokens: Record<string, string>) => Promise<void>,
): Promise<void> {
  const databases: FreshDatabase[] = []
  const nodes: AtriumNode[] = []
  try {
    for (const engine of engines) databases.push(await freshDatabase(engine))
    const [first, second] = databases as [FreshDatabase, FreshDatabase]
    for (const { url } of databases) {
      const { code, printed } = await runAtrium(build, { ATRIUM_DATABASE: url }, 'migrate')
      if (code !== 0) throw new Error(printed)
    }
    const tokens = await fill(first.url, estate)
    await withDb(first.url, (from) =>
      withDb(second.url, (to) => backUp(from, (all) => restoreBackup(to, all, { progress: () => {} }))),
    )
    for (const { url } of databases) {
      nodes.push(await startNode(build, { settings: { ATRIUM_DATABASE: url, ATRIUM_LOG: 'warn' } }))
    }
    const wires = nodes.map(({ url }) => new Wire(url))
    await work(wires, tokens)
    for (const wire of wires) wire.close()
  } finally {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
    await Promise.all(databases.map((database) => database.drop()))
  }
}

function sent({ line, as, headers, ...asked }: Asked, at: number, tokens: Record<string, string>, number: number) {
  const body = asked.body?.[at]
  const lines = [`${line[at]} HTTP/1.1`, 'Host: atrium', `X-Request-Id: r-${number}`]
  if (as !== undefined) lines.push(`Authorization: Bearer ${tokens[as] ?? as}`)
  const hasType = headers.some(([name]) => name === 'Content-Type')
  if (body !== undefined && !hasType) lines.push('Content-Type: application/json')
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  for (const [name, value] of headers) lines.push(`${name}: ${value[at]}`)
  return { bytes: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, isHead: line[at]?.startsWith('HEAD ') ?? false }
}

/** The whole response except its Date. */
function textOf(answer: WireAnswer | undefined): string {
  if (answer === undefined) return 'no response'
  const head = answer.head.split('\r\n').filter((line) => !/^date:/i.test(line))
  return `${head.join('\n')}\n\n${answer.body}`
}

function violation(
  { line, as, headers, body }: Asked,
  number: number,
  how: string,
  one: WireAnswer | undefined,
  other: WireAnswer | undefined,
): Violation {
  return {
    what: `${line[0]} returned ${how}`,
    history: [
      `request ${number + 1} as ${as}: ${line[0]} ${JSON.stringify(headers)} ${body?.[0] ?? ''}`,
      `${engines[0]}: ${textOf(one)}`,
      `${engines[1]}: ${textOf(other)}`,
    ],
  }
}
