import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { onEachEngine } from '../harness/atrium.ts'
import { fillGroup, group } from '../harness/hospital-group.ts'
import { addOperator } from '../harness/operators.ts'

// biome-ignore lint/suspicious/noExplicitAny: figures of every kind
type Figure = any

const sum = (rows: Figure[], key: string) => rows.reduce((all, row) => all + row[key], 0)

/** Compares each number with an independent query of the database. */
onEachEngine(
  'figures on an estate larger than every page and limit',
  { estate: { facilities: [], partners: [] } },
  (atrium) => {
    let key = ''
    let figures: Figure
    const ask = (request: string) => atrium().ask(request, { as: key })
    const number = (query: string) =>
      atrium().service.db.read(async (tx) => {
        const { rows } = await sql<{ number: unknown }>`${sql.raw(query)}`.execute(tx.query)
        return Number(rows[0]?.number)
      })

    before(async () => {
      await fillGroup(atrium().service.db)
      key = (await addOperator(atrium(), 'admin')).key
      do {
        const { status, body, text } = await ask('GET /cms/v1/figures')
        assert.equal(status, 200, text)
        figures = body
        await sleep(50)
      } while (figures.lists.checked < group.facilities)
    })

    test('open rooms, rooms and facilities are counted over the whole estate', async () => {
      assert.deepEqual(figures.rooms, {
        facilities: await number('select count(*) as number from facility'),
        facilities_open: await number(
          `select count(*) as number from facility where exists
          (select 1 from area where area.facility_id = facility.id and area.cycle is not null)`,
        ),
        areas: await number('select count(*) as number from area'),
        open: await number(`select count(*) as number from area where cycle > ''`),
      })
      assert.deepEqual([figures.rooms.areas, figures.rooms.facilities_open > 20], [36_000, true])
      for (const { facility, open, areas } of figures.open_rooms) {
        const of = `from area join facility f on f.id = facility_id where f.id_external = '${facility}'`
        assert.equal(open, await number(`select count(cycle) as number ${of}`))
        assert.equal(areas, await number(`select count(*) as number ${of}`))
      }
      const most = `select max(open) as number from (select count(cycle) as open from area group by facility_id) each_of`
      assert.equal(figures.open_rooms[0].open, await number(most))
    })

    test('services that end soon are all counted, and the first are listed', async () => {
      const ending = `select count(*) as number from area where services_lengths <> ''`
      assert.equal(figures.ending_soon_count, await number(ending))
      assert.deepEqual([figures.ending_soon_count, figures.ending_soon.length], [group.services, 50])
    })

    test('requests and refusals are all counted', async () => {
      const status = (from: number, to: number) =>
        sum(
          figures.requests.filter((one: Figure) => one.status >= from && one.status < to),
          'count',
        )
      for (const [from, to] of [
        [200, 300],
        [400, 500],
        [500, 600],
      ] as const) {
        const where = `status >= ${from} and status < ${to}`
        assert.equal(status(from, to), await number(`select sum(requests) as number from request_count where ${where}`))
      }
      const pairs = `select count(*) as number from (select distinct partner, code from refusal_count) pairs`
      assert.equal(figures.refused_total, await number(pairs))
      for (const { partner, code, count } of figures.refused) {
        const where = `partner = '${partner}' and code = '${code}'`
        assert.equal(count, await number(`select sum(requests) as number from refusal_count where ${where}`))
      }
      assert.equal(figures.latency[0].mean_ms, 2)
    })

    test('all notices are counted', async () => {
      const of = (kind: string) => figures.attention.filter((one: Figure) => one.kind === kind).length
      const counts = {
        token_expiring: `from token where id like 'expiring%'`,
        token_overdue: `from token where id like 'overdue%'`,
        token_unused: `from token where id like 'unused%'`,
        webhook_failing: 'from webhook where failing_since is not null and disabled_at is null',
        webhook_disabled: 'from webhook where disabled_at is not null',
        many_refused: `from partner where 50 <=
        (select sum(requests) from request_count where status = 403 and partner = partner.id)`,
        list_drift: 'from facility',
      }
      let total = 0
      for (const [kind, from] of Object.entries(counts)) {
        const all = await number(`select count(*) as number ${from}`)
        assert.ok(all > 0, kind)
        assert.equal(of(kind), Math.min(all, 100), kind)
        total += all
      }
      assert.equal(figures.attention_total, total)
    })

    test('lists report their length, and lead to their end', async () => {
      assert.equal(await lengthOf('/cms/v1/facilities', true), await number('select count(*) as number from facility'))
      assert.equal(await lengthOf('/cms/v1/partners', true), await number('select count(*) as number from partner'))
      const rooms = 'select count(*) as number from area where facility_id = 1002'
      assert.equal(await lengthOf('/cms/v1/facilities/f2/areas?limit=50', true), await number(rooms))
      assert.equal(
        await lengthOf('/cms/v1/facilities/f2/areas?open=true', true),
        await number(`${rooms} and cycle > ''`),
      )
      const log = (where: string) => number(`select count(*) as number from request_log where ${where}`)
      assert.equal(await lengthOf('/cms/v1/requests?status=403&limit=5'), await log('status = 403'))
      assert.equal(await lengthOf('/cms/v1/requests?partner=g7&limit=1000'), await log(`partner = 'g7'`))
      const closed = `select count(*) as number from audit_entry where action = 'room.close'`
      assert.equal(await lengthOf('/cms/v1/audit?action=room.close&limit=5'), await number(closed))
      const { body } = await ask('GET /cms/v1/facilities/f2')
      assert.equal(body.areas_count, await number(rooms))
      assert.equal(body.open_count, await number(`${rooms} and cycle > ''`))
    })

    /** Counts the items of all pages and compares the sum with the total of the first page. */
    async function lengthOf(path: string, isCounted = false): Promise<number> {
      let length = 0
      for (let next: string | undefined = path; next !== undefined; ) {
        const { body, headers } = await ask(`GET ${next}`)
        length += body.length
        next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
        if (isCounted && next === undefined) assert.equal(Number(headers.get('x-total-count')), length)
      }
      return length
    }
  },
)
