import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { createMonitoring } from '../../src/http/monitoring.ts'
import { createMetrics } from '../../src/http/observability/metrics.ts'
import { createObserver } from '../../src/http/observability/observe.ts'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { Overload } from '../../src/http/pipeline/overload.ts'
import { Proxies } from '../../src/http/pipeline/proxies.ts'
import { createServer, type HttpServer } from '../../src/http/server.ts'
import { Startup } from '../../src/http/startup.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { createKey } from '../../src/operations/access/operator-key.ts'
import { createToken } from '../../src/operations/access/token.ts'
import { emitServiceEvents, emitTokenEvents } from '../../src/operations/background/emit-events.ts'
import { Erasure } from '../../src/operations/background/erase.ts'
import { indexAudit } from '../../src/operations/background/index-audit.ts'
import { pruneRequestLog } from '../../src/operations/background/prune-request-log.ts'
import { RequestLogBuffer } from '../../src/operations/background/request-log-buffer.ts'
import { sealAudit } from '../../src/operations/background/seal-audit.ts'
import { TokenUse } from '../../src/operations/background/token-use.ts'
import { pruneIdempotencyKeys } from '../../src/operations/idempotency.ts'
import { announceExpiringTokens } from '../../src/storage/access/expiring-token.ts'
import { isContentRemovedSince } from '../../src/storage/audit/audit.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { passMoments } from '../../src/storage/service-moment.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { inject } from '../harness/inject.ts'
import { allSettled } from '../harness/settled.ts'
import { cmsRequests, notAsked, readThrough } from './cms-requests.ts'
import { analyze, fill } from './large-estate.ts'
import { partnerRequests } from './partner-requests.ts'
import { explain, scansIn } from './plans.ts'
import { type Recorded, type Recorder, recording, recordPolls } from './recorder.ts'

const few = 'p7'
const every = 'p100'

/** Requests that scan a table because they return all of it, or its beginning in key order. */
const wholeTable = ['', '?limit=3', '?status=closed&limit=3'].map((query) => `${every}: GET /v1/facilities/${query}`)

for (const engine of engines) {
  describe(`no request scans a whole table (${engine})`, () => {
    let database: FreshDatabase
    let db: Db
    let app: HttpServer
    let recorder: Recorder
    let polls: Recorded[]
    before(async () => {
      database = await migratedDatabase(engine)
      db = openDatabase(database.url)
      await migrate(db)
      await fill(db)
      recorder = recording(db, engine)
      const tokenUse = new TokenUse(recorder.db)
      const config = readConfig({ ATRIUM_RATE_LIMIT: 'off' })
      const metrics = createMetrics()
      const book = new RequestLogBuffer(recorder.db)
      const startup = new Startup()
      startup.end()
      app = createServer({
        startup,
        config,
        db: recorder.db,
        metrics,
        tokenUse,
        observe: createObserver(metrics, () => {}, book),
        proxies: new Proxies([]),
        send: async () => ({ status: 204, durationMs: 1, error: null, retryAfterSeconds: undefined, response: null }),
        certificate: undefined,
        openIdProvider: undefined,
        tracer: undefined,
        overload: new Overload(config.overload),
        monitoring: createMonitoring(recorder.db),
      })
      for (const partner of [few, every]) await askAll(app, recorder, partner, await tokenOf(db, partner))
      const key = await keyOf(db)
      await allSettled(recorder.db)
      await askAsOperator(app, recorder, key)
      recorder.during = 'chores'
      await tokenUse.flush()
      await book.flush()
      await pruneRequestLog(recorder.db)
      await pruneIdempotencyKeys(recorder.db)
      await sealAudit(recorder.db)
      await indexAudit(recorder.db)
      await emitServiceEvents(recorder.db, 3600)
      await emitTokenEvents(recorder.db)
      await recorder.db.write((tx) => announceExpiringTokens(tx, '2026-01-01'))
      await recorder.db.write((tx) => passMoments(tx, '2026-01-01', 3600))
      await new Erasure(recorder.db).run()
      await isContentRemovedSince(recorder.db, 1, 2)
      polls = await recordPolls(database.url, engine, (other) => tokenOf(other, few))
    })
    after(async () => {
      await app.draining.close()
      await db.close()
      await database.drop()
    })

    test('every route was requested', () => {
      const asked = [...partnerRequests, ...cmsRequests].map(([request]) => request)
      const isAsked = ({ method, path }: { method: string; path: string }) => {
        const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/?]+').replace(/\/$/, '/?')}(\\?|$)`)
        return asked.some((request) => pattern.test(request))
      }
      const routes = [...partnerEndpoints, ...cmsRoutes.filter(({ operationId }) => !notAsked.includes(operationId))]
      assert.deepEqual(
        routes.filter((route) => !isAsked(route)).map(({ operationId }) => operationId),
        [],
      )
    })

    // A new SQLite database has no statistics, and operators need not create any.
    for (const state of engine === 'sqlite' ? ['without statistics', 'with statistics'] : ['with statistics']) {
      test(`every statement finds its rows by an index, ${state}`, async () => {
        if (state === 'with statistics') await analyze(db)
        const statements = [...recorder.statements, ...polls]
        const distinct = new Map(statements.map((statement) => [`${statement.during} ${statement.sql}`, statement]))
        assert.ok(distinct.size > 100 && polls.length > 0, `${distinct.size} statements`)
        const bad: string[] = []
        for (const { during, sql, parameters } of distinct.values()) {
          const plan = await explain(db, engine, sql, parameters)
          const scans = scansIn(sql, plan).filter((table) => !mayRead(during, table))
          if (scans.length > 0) bad.push(`${during}\n${sql}\n${plan}`)
        }
        assert.equal(bad.length, 0, `\n${bad.join('\n\n')}`)
      })
    }

    test('a statement without an index is detected', async () => {
      const statements = [
        `select * from area where name = 'x'`,
        `select a.id from area a where a.name = 'x'`,
        `select distinct id from (select a.id, a.name from area as a where a.name = 'x' limit 5) area`,
      ]
      for (const sql of statements) {
        assert.deepEqual(scansIn(sql, await explain(db, engine, sql, [])), ['area'], sql)
      }
    })
  })
}

function mayRead(during: string, table: string): boolean {
  const isListed = readThrough.some(({ request, tables }) => request.test(during) && tables.includes(table))
  return isListed || (table === 'facility' && wholeTable.includes(during))
}

async function tokenOf(db: Db, partner: string): Promise<string> {
  return (await createToken(db, { partner, name: 'x', expiresAt: null, allowedRanges: [] }))?.secret ?? ''
}

async function askAll(app: HttpServer, recorder: Recorder, partner: string, token: string): Promise<void> {
  for (const [request, body, headers] of partnerRequests) {
    recorder.during = `${partner}: ${request}`
    const [method, url = ''] = request.split(' ')
    const authorization = `Bearer ${token}`
    const response = await inject(app.pipeline, {
      method: method as 'GET',
      url,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    })
    assert.ok(response.status < 500 && response.status !== 400, `${recorder.during}: ${response.text}`)
    const next = nextIn(response.headers)
    recorder.during += ', the next page'
    if (next !== undefined) await inject(app.pipeline, { method: 'GET', url: next, headers: { authorization } })
  }
}

async function keyOf(db: Db): Promise<string> {
  const draft = { email: 'admin@example.com', name: 'Admin', role: 'admin', password: null } as const
  const { id } = await createOperator(db, commandLine, draft)
  return (await createKey(db, commandLine, { operator: id, name: 'x', expiresAt: null, allowedRanges: [] })).secret
}

/** Sends all requests. Ids in earlier responses are used in later requests. */
async function askAsOperator(app: HttpServer, recorder: Recorder, key: string): Promise<void> {
  const given: Record<string, string> = {}
  for (const [request, body, captured] of cmsRequests) {
    const [method, url = ''] = request.replace(/\b[A-Z]+_ID\b/, (name) => given[name] ?? name).split(' ')
    recorder.during = `operator: ${request}`
    const type =
      typeof body === 'string' ? (url.includes('/areas/') ? 'text/csv' : 'application/yaml') : 'application/json'
    const { status, headers, text } = await inject(app.pipeline, {
      method: method as 'GET',
      url,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
      body: typeof body === 'string' ? body : body && JSON.stringify(body),
    })
    const isExpected = status < 400 || /sign-in|sessions/.test(request)
    assert.ok(isExpected, `${recorder.during}: ${text}`)
    const next = nextIn(headers)
    if (next !== undefined) {
      await inject(app.pipeline, { method: 'GET', url: next, headers: { authorization: `Bearer ${key}` } })
    }
    if (captured) given[captured.name] = String(captured.from(JSON.parse(text)))
  }
}

function nextIn({ link }: Record<string, string>): string | undefined {
  return /<([^>]+)>; rel="next"/.exec(String(link))?.[1]
}
