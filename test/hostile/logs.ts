import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Engine, migratedDatabase } from '../harness/databases.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { runAtrium, startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { Wire } from '../torture/wire.ts'
import { drawRequest } from './logs/requests.ts'
import { findSecret, processList } from './logs/search.ts'

const estate = {
  facilities: [{ id_external: 'f', name: 'F', room_services: true, areas: [{ id: '1', name: 'One' }] }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}
/** The share of requests during which a table is broken, so that errors of the engine are logged too. */
const brokenPart = 0.2
/** The log is flushed after a short delay. */
const printedWithinMs = 250

export const logs: Harness = {
  name: 'logs',
  promises: [19],
  title: 'logs, metrics, errors and the process list keep secrets',
  unit: 'requests',
  target: '0 tokens, passwords and texts about guests in logs, metrics, errors and the process list',
  counts: { planted: 100, test: 150, torture: 50_000 },
  planted: [
    {
      name: 'the log has the path as it was sent',
      file: 'src/http/pipeline/pipeline.ts',
      find: 'route: route === undefined ? null : (this.#patterns.get(route) ?? null)',
      replace: 'route: request.url',
    },
    {
      name: 'the engine’s message is in the log',
      file: 'src/http/observability/log.ts',
      find: '.filter((line) => /^\\s+at /.test(line))',
      replace: '',
    },
    {
      name: 'an error says which parameter was not known',
      file: 'src/http/pipeline/query.ts',
      find: 'isNameIn(parameters, name) ? name : undefined',
      replace: 'name',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const random = new Random(seed)
  const figures = { requests: 0, errors: 0, 'internal errors': 0, found: 0 }
  const violations: Violation[] = []
  for (const [index, engine] of (['postgres', 'sqlite'] as const).entries()) {
    const end = Math.ceil((count * (index + 1)) / 2)
    const breakAt = Math.floor(end - (count / 2) * brokenPart)
    await using stage = await setUp(build, engine)
    const history: string[] = []
    while (figures.requests < end && violations.length === 0 && !signal.aborted) {
      if (figures.requests === breakAt) await breakTable(stage.databaseUrl, engine)
      const request = drawRequest(random, stage.token, figures.requests >= breakAt)
      const answer = await stage.wire.ask({ bytes: request, isHead: request.startsWith('HEAD') })
      history[figures.requests % 500] = `${JSON.stringify(request.slice(0, 600))} → ${answer?.status ?? 'cut off'}`
      progress(++figures.requests)
      if (answer === undefined || answer.status < 400) continue
      figures.errors++
      if (answer.status === 500) figures['internal errors']++
      const echoed = findSecret(answer.head + answer.body)
      if (echoed !== undefined) violations.push({ what: `an error echoes: ${echoed}`, history: history.slice(-1) })
    }
    violations.push(...(await lookAround(stage, build, history)))
    if (violations.length > 0) break
  }
  figures.found = violations.length
  return { figures, violations }
}

async function setUp(build: string, engine: Engine) {
  const database = await migratedDatabase(engine)
  const { p: token = '' } = await fill(database.url, estate)
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'trace' }
  const node = await startNode(build, { settings })
  const wire = new Wire(node.url)
  return {
    databaseUrl: database.url,
    node,
    wire,
    token,
    [Symbol.asyncDispose]: async () => {
      wire.close()
      await node.end()
      await database.drop()
    },
  }
}

type Stage = Awaited<ReturnType<typeof setUp>>

/** Makes the engine refuse names, with an error message that quotes the name. */
async function breakTable(databaseUrl: string, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    using database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 10_000 })
    return database.exec("create trigger t before update on facility begin select raise(abort, 'no ' || new.name); end")
  }
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    create function t() returns trigger language plpgsql as $$ begin raise exception 'no %', new.name; end $$;
    create trigger t before update on facility for each row execute function t()`)
  await client.end()
}

async function lookAround({ node, databaseUrl }: Stage, build: string, history: string[]): Promise<Violation[]> {
  const metrics = await fetch(`${node.url}/metrics`).then((answer) => answer.text())
  const lost = await runAtrium(build, { ATRIUM_DATABASE: 'postgres://u:pa55word-q@127.0.0.1:1/x' }, 'partner', 'list')
  await sleep(printedWithinMs)
  const { password } = URL.parse(databaseUrl) ?? { password: '' }
  const passwords = ['pa55word-q', ...(password === '' ? [] : [password])]
  const places = {
    'the log': node.printed(),
    'the metrics': metrics,
    'what a command printed': lost.printed,
    'the process list': processList(),
  }
  return Object.entries(places).flatMap(([place, text]) => {
    const found = findSecret(text, passwords)
    return found === undefined
      ? []
      : [{ what: `${place} holds: ${found}`, history: history.filter(isNear(found)).slice(-3) }]
  })
}

/** Returns the requests that a log line can be about: those with its status. */
function isNear(found: string): (line: string) => boolean {
  const status = /"status":(\d+)/.exec(found)?.[1]
  return (line) => status === undefined || line.endsWith(status)
}
