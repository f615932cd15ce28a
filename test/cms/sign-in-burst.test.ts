import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { type Answered, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { engines, type FreshDatabase, migratedDatabase } from '../harness/databases.ts'
import { cheapHash, password } from '../harness/operators.ts'

const settings = { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' }
const wrong = 'not the right one'

for (const engine of engines) {
  describe(`sign-ins at the same moment, on two nodes (${engine})`, () => {
    let database: FreshDatabase
    let nodes: TestAtrium[] = []
    before(async () => {
      database = await migratedDatabase(engine)
      nodes = await Promise.all([1, 2].map(() => startAtrium(engine, { database, settings })))
    })
    after(async () => {
      for (const node of nodes) await node.stop()
      await database.drop()
    })

    const create = async (email: string) => {
      const { db } = (nodes[0] as TestAtrium).service
      const { id } = await createOperator(db, commandLine, { email, name: 'Ada', role: 'admin', password: null })
      await db.write((tx) =>
        tx.query.updateTable('operator').set({ password: cheapHash }).where('id', '=', id).execute(),
      )
    }
    const signIn = (at: number, email: string, password: string, from: string): Promise<Answered> =>
      (nodes[at % 2] as TestAtrium).ask('POST /cms/v1/sign-in', {
        headers: { 'x-forwarded-for': from },
        body: { email, password },
      })
    /** Returns how many attempts were checked; the others were refused with Retry-After. */
    const judged = (answers: Answered[]): number => {
      const refused = answers.filter(({ status }) => status !== 401 && status !== 200)
      for (const { status, headers } of refused) {
        assert.ok(status === 429 || status === 503, `${status}`)
        assert.ok(Number(headers.get('retry-after')) >= 1)
      }
      return answers.length - refused.length
    }
    /** After the free attempts the delays are 1, 2, 4 … seconds; returns how many more fit into the elapsed time. */
    const allowed = (free: number, startMs: number) => free + Math.log2((performance.now() - startMs) / 1000 + 1)

    test('of 300 guesses from one address, only five and those after the delays are checked', async () => {
      await create('ada@example.com')
      const startMs = performance.now()
      const tries = Array.from({ length: 300 }, (_, n) => signIn(n, 'ada@example.com', wrong, '203.0.113.1'))
      const count = judged(await Promise.all(tries))
      assert.ok(count >= 1 && count <= allowed(5, startMs), `${count} were judged`)
    })

    test('of 300 guesses from as many addresses, only twenty and those after the delays are checked', async () => {
      await create('bob@example.com')
      const startMs = performance.now()
      const from = (n: number) => (n % 2 ? `198.51.100.${n >> 1}` : `2001:db8:${n}::${n}`)
      const tries = Array.from({ length: 300 }, (_, n) => signIn(n, 'bob@example.com', wrong, from(n)))
      const count = judged(await Promise.all(tries))
      assert.ok(count >= 1 && count <= allowed(20, startMs), `${count} were judged`)
    })

    test('all addresses of an IPv6 network count as one', async () => {
      await create('cleo@example.com')
      const startMs = performance.now()
      const tries = Array.from({ length: 60 }, (_, n) => signIn(n, 'cleo@example.com', wrong, `2001:db8:ffff:1::${n}`))
      const count = judged(await Promise.all(tries))
      assert.ok(count <= allowed(5, startMs), `${count} were judged`)
    })

    test('the right password from another address is accepted during a burst', async () => {
      await create('dora@example.com')
      const burst = Array.from({ length: 100 }, (_, n) => signIn(n, 'dora@example.com', wrong, '203.0.113.4'))
      const mine = async () => {
        for (;;) {
          const { status, headers } = await signIn(0, 'dora@example.com', password, '203.0.113.5')
          if (status === 200) return
          assert.equal(status, 503, 'only a full queue can be in its way')
          await sleep(1000 * Number(headers.get('retry-after')))
        }
      }
      await Promise.all([mine(), ...burst])
    })

    test('successful sign-ins do not count: many in a row are not delayed', async () => {
      await create('eve@example.com')
      for (let n = 0; n < 40; n++) {
        const { status } = await signIn(n, 'eve@example.com', password, '203.0.113.6')
        assert.equal(status, 200, `the ${n + 1}th`)
      }
      const counted = await (nodes[0] as TestAtrium).service.db.read((tx) =>
        tx.query.selectFrom('sign_in_failure').selectAll().where('subject', 'like', '%203.0.113.6%').execute(),
      )
      assert.ok(
        counted.every(({ count }) => count === 0),
        JSON.stringify(counted),
      )
    })
  })
}
