import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../src/config.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { observer } from '../../src/http/observe.ts'
import { Overload } from '../../src/http/overload.ts'
import { partnerRoutes } from '../../src/http/partner/routes.ts'
import { Proxies } from '../../src/http/proxies.ts'
import { createServer } from '../../src/http/server.ts'
import { watchOf } from '../../src/http/watch.ts'
import { Erasure } from '../../src/operations/erase.ts'
import { forgetOldRequests } from '../../src/operations/forget-requests.ts'
import { forgetOldKeys } from '../../src/operations/once.ts'
import { RequestBook } from '../../src/operations/request-book.ts'
import { sealAudit } from '../../src/operations/seal-audit.ts'
import { createToken } from '../../src/operations/token.ts'
import { TokenUse } from '../../src/operations/token-use.ts'
import { isContentRemovedSince } from '../../src/storage/audit-removal.ts'
import { type Db, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import type { Tables } from '../../src/storage/tables.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { analyze, fill } from './large-estate.ts'
import { type Recorded, type Recorder, recording, recordLooks } from './recorder.ts'

const few = 'p7'
const every = 'p100'
const value = (content: unknown) => ({ value: content })
const tv = value('[{"code":"tv"}]')

/** p7 sees f275 (its grants name it) and not f1; p100 sees all. */
const requests: [string, (object | undefined)?, Record<string, string>?][] = [
  ['GET /v1/facilities/'],
  ['GET /v1/facilities/?limit=3'],
  ['GET /v1/facilities/?limit=3&cursor=CURSOR_F'],
  ['GET /v1/facilities/?status=closed'],
  ['GET /v1/facilities/?status=closed&limit=3&cursor=CURSOR_F'],
  ['GET /v1/facilities/f1/'],
  ['GET /v1/facilities/f275/'],
  ['GET /v1/facilities/f275/areas'],
  ['GET /v1/facilities/f275/areas?limit=3'],
  ['GET /v1/facilities/f275/areas?limit=3&cursor=CURSOR_A'],
  ['GET /v1/facilities/f275/areas?q=room'],
  ['GET /v1/facilities/f275/areas_autocomplete_list'],
  ['PATCH /v1/facilities/f275/areas_autocomplete_list', value([{ id_external: '1', name: 'One' }])],
  ['PATCH /v1/facilities/f275/name', value('New'), { 'if-match': '*' }],
  ['PATCH /v1/facilities/f275/ssid_public', value('New'), { 'if-match': '"stale"' }],
  ['PATCH /v1/facilities/f275/ssid_public', value('New')],
  ['PATCH /v1/facilities/f275/subscription_url', value('https://x.example')],
  ['GET /v1/areas/f1-s1/'],
  ['GET /v1/areas/f275-s549/'],
  ['GET /v1/areas/f275-s549/data_services'],
  ['POST /v1/areas/f275-s549/data_services', tv, { 'idempotency-key': 'a', 'if-match': '*' }],
  ['POST /v1/areas/f275-s549/data_services', tv, { 'idempotency-key': 'a' }],
  ['DELETE /v1/areas/f275-s549/data_services/sub549'],
  ['POST /v1/areas/f275-s549/', undefined, { 'idempotency-key': 'b', 'if-match': '"stale"' }],
  ['POST /v1/areas/f275-s549/', undefined, { 'idempotency-key': 'b' }],
  ['DELETE /v1/areas/f275-s549/'],
  ['GET /v1/me'],
]
const cursors = { CURSOR_F: ['f', 900], CURSOR_A: ['a', 's549', 's549'] }

/** What grows with the estate. */
const growing: (keyof Tables)[] = [
  'facility',
  'area',
  'autocomplete_list',
  'subscription',
  'partner',
  'partner_grant',
  'partner_grant_facility',
  'token',
  'idempotency_key',
  'audit_entry',
  'audit_seal',
  'request_log',
  'request_count',
]

/** Statements that read a whole table because all of it, or its beginning in the order of its key, is the answer. */
const wholeTable = [`${every}: GET /v1/facilities/`, `${every}: GET /v1/facilities/?limit=3`]

for (const engine of engines) {
  describe(`no request looks through a whole table (${engine})`, () => {
    let database: FreshDatabase
    let db: Db
    let app: FastifyInstance
    let recorder: Recorder
    let looks: Recorded[]
    before(async () => {
      database = await freshDatabase(engine)
      db = openDatabase(database.url)
      await migrate(db)
      await fill(db)
      recorder = recording(db, engine)
      const tokenUse = new TokenUse(recorder.db)
      const config = readConfig({ ATRIUM_RATE_LIMIT: 'off' })
      const metrics = createMetrics()
      const book = new RequestBook(recorder.db)
      const proxies = new Proxies([])
      const overload = new Overload(config.overload)
      app = createServer({
        config,
        db: recorder.db,
        metrics,
        tokenUse,
        observe: observer(metrics, () => {}, book),
        proxies,
        certificate: undefined,
        overload,
        watch: watchOf(recorder.db),
      })
      for (const partner of [few, every]) await askAll(app, recorder, partner, await tokenOf(db, partner))
      recorder.during = 'chores'
      await tokenUse.flush()
      await book.flush()
      await forgetOldRequests(recorder.db)
      await forgetOldKeys(recorder.db)
      await sealAudit(recorder.db)
      await new Erasure(recorder.db).run()
      await isContentRemovedSince(recorder.db, 1, 2)
      looks = await recordLooks(database.url, engine, (other) => tokenOf(other, few))
    })
    after(async () => {
      await app.close()
      await db.close()
      await database.drop()
    })

    test('every route of /v1 was asked', () => {
      const asked = (route: { method: string; path: string }) => {
        const pattern = new RegExp(
          `^${route.method} ${route.path.replace(/\{\w+\}/g, '[^/?]+').replace(/\/$/, '/?')}(\\?|$)`,
        )
        return requests.some(([request]) => pattern.test(request))
      }
      assert.deepEqual(
        partnerRoutes.filter((route) => !asked(route)).map(({ operationId }) => operationId),
        [],
      )
    })

    // A new SQLite database has no statistics, and nobody has to make any.
    for (const state of engine === 'sqlite' ? ['without statistics', 'with statistics'] : ['with statistics']) {
      test(`every statement finds its rows by an index, ${state}`, async () => {
        if (state === 'with statistics') await analyze(db)
        const statements = [...recorder.statements, ...looks]
        const distinct = new Map(statements.map((statement) => [`${statement.during} ${statement.sql}`, statement]))
        assert.ok(distinct.size > 100 && looks.length > 0, `${distinct.size} statements`)
        const bad: string[] = []
        for (const { during, ...statement } of distinct.values()) {
          const plan = await db.explain(statement)
          const scans = scansIn(statement.sql, plan).filter(
            (table) => !(table === 'facility' && wholeTable.includes(during)),
          )
          if (scans.length > 0) bad.push(`${during}\n${statement.sql}\n${plan}`)
        }
        assert.equal(bad.length, 0, `\n${bad.join('\n\n')}`)
      })
    }

    test('a statement without an index is found', async () => {
      const statements = [
        `select * from area where name = 'x'`,
        `select a.id from area a where a.name = 'x'`,
        `select distinct id from (select a.id, a.name from area as a where a.name = 'x' limit 5) area`,
      ]
      for (const sql of statements) {
        assert.deepEqual(scansIn(sql, await db.explain({ sql, parameters: [] })), ['area'], sql)
      }
    })
  })
}

async function tokenOf(db: Db, partner: string): Promise<string> {
  return (await createToken(db, { partner, name: 'x', expiresAt: null, allowedRanges: [] }))?.secret ?? ''
}

async function askAll(app: FastifyInstance, recorder: Recorder, partner: string, token: string): Promise<void> {
  for (const [request, body, headers] of requests) {
    recorder.during = `${partner}: ${request}`
    const [method, url = ''] = request.split(' ')
    const answer = await app.inject({
      method: method as 'GET',
      url: url.replace(/CURSOR_[FA]/, (name) => cursor(cursors[name as keyof typeof cursors])),
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { payload: JSON.stringify(body) }),
    })
    assert.ok(answer.statusCode < 500 && answer.statusCode !== 400, `${recorder.during}: ${answer.body}`)
  }
}

function cursor(place: unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** The tables that a plan reads from end to end, in the words of either engine; by an index from end to end too. */
function scansIn(sql: string, plan: string): string[] {
  const lines = plan.split('\n')
  const scanned = lines.flatMap((line, index) => {
    const [, alias] = /^SCAN (\w+)/.exec(line) ?? []
    if (alias !== undefined) return isSubquery(lines, alias) ? [] : [tableCalled(sql, alias)]
    const [, table] = /Seq Scan on (\w+)/.exec(line) ?? []
    if (table !== undefined) return [table]
    const [, indexed] = /Index (?:Only )?Scan (?:Backward )?using \w+ on (\w+)/.exec(line) ?? []
    const bounded = /Index Cond/.test(lines[index + 1] ?? '')
    return indexed === undefined || bounded ? [] : [indexed]
  })
  return scanned.filter((table) => growing.some((name) => name === table))
}

function isSubquery(lines: string[], alias: string): boolean {
  return lines.some((line) => line === `CO-ROUTINE ${alias}` || line === `MATERIALIZE ${alias}`)
}

/** SQLite's plans name a table as the statement does. */
function tableCalled(sql: string, alias: string): string {
  return new RegExp(`\\b(?:from|join) "?(\\w+)"? (?:as )?"?${alias}\\b`, 'i').exec(sql)?.[1] ?? alias
}
