import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificates } from '../harness/certificates.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { install, type Layout } from '../torture/installation.ts'
import type { AtriumNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { connectAndEnd, type Ending, endings, healthOf, pulseOf } from './endings/connections.ts'
import { requestsFor, type Sent } from './endings/requests.ts'

const atOnce = 48

const estate = {
  facilities: [{ id_external: 'f', name: 'F', areas: [{ id: '1', name: 'One' }] }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** Every request × every way to disconnect: the process must survive each. */
export const connections: Harness = {
  name: 'endings',
  promises: [21],
  title: 'no sequence of bytes ends a process',
  unit: 'connections',
  target: '0 exits, and /healthz responds after each',
  counts: { planted: 4000, test: 500, torture: 100_000 },
  planted: [
    {
      name: 'connections have the listeners that Node and others leave them',
      file: 'src/http/adapters/listener.ts',
      find: '  surviveSocketErrors(server)\n',
      replace: '',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-endings-'))
  const random = new Random(seed)
  const violations: Violation[] = []
  let done = 0
  try {
    const all = layoutsIn(folder)
    for (const [at, layout] of all.entries()) {
      const upTo = Math.round((count * (at + 1)) / all.length)
      const { nodes, tokens, stop } = await install(build, layout, estate)
      const node = nodes[0] as AtriumNode
      try {
        while (done < upTo && !signal.aborted && violations.length === 0) {
          const some = shuffled(pairsFor(tokens.p ?? '', random), random).slice(0, upTo - done)
          for (let from = 0; from < some.length && violations.length === 0; from += atOnce) {
            const batch = some.slice(from, from + atOnce)
            const fault = await faultAfter(node, batch, random)
            if (fault !== undefined) violations.push({ ...fault, what: `${layout.name}: ${fault.what}` })
            done += batch.length
            progress(done)
          }
        }
      } finally {
        await stop()
      }
    }
    return { figures: { connections: done, exits: violations.length }, violations }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function layoutsIn(folder: string): Layout[] {
  const settings = { ATRIUM_TLS_CERT: join(folder, 'cert.pem'), ATRIUM_TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(settings.ATRIUM_TLS_CERT, certificates.first.certificate)
  writeFileSync(settings.ATRIUM_TLS_KEY, certificates.first.key)
  return [
    { name: 'one process', engine: 'sqlite', nodes: 1 },
    { name: 'two workers', engine: 'sqlite', nodes: 1, workers: 2 },
    { name: 'one process, TLS', engine: 'sqlite', nodes: 1, settings },
    { name: 'two workers on PostgreSQL, TLS', engine: 'postgres', nodes: 1, workers: 2, settings },
  ]
}

interface Pair {
  sent: Sent
  ending: Ending
}

function pairsFor(token: string, random: Random): Pair[] {
  return requestsFor(token, random.branch()).flatMap((sent) => endings.map((ending) => ({ sent, ending })))
}

function shuffled<T>(list: T[], random: Random): T[] {
  const order = list.map((one) => ({ one, at: random.fraction() }))
  return order.sort((a, b) => a.at - b.at).map(({ one }) => one)
}

/** Returns what a batch of connections did to the server process, undefined when it survived. */
async function faultAfter(node: AtriumNode, batch: Pair[], random: Random): Promise<Violation | undefined> {
  const pulse = pulseOf(node.url)
  await Promise.all(
    batch.map(({ sent, ending }) => connectAndEnd(node.url, sent.bytes, ending, { random: random.branch(), pulse })),
  )
  const health = await healthOf(node.url)
  const { exitCode, signalCode } = node.child
  const history = batch.map(({ sent, ending }) => `${sent.name}: ${ending}`)
  if (exitCode !== null || signalCode !== null) return { what: `it ended: ${node.printed().slice(-1000)}`, history }
  if (node.printed().includes('a worker ended'))
    return { what: `a worker ended: ${node.printed().slice(-1000)}`, history }
  return health === 'HTTP/1.1 200 OK' ? undefined : { what: `/healthz returned "${health}"`, history }
}
