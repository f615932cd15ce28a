import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Token } from '../../src/domain/access/token.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { changeToken, createToken, revokeToken, rotateToken } from '../../src/operations/access/token.ts'
import { announceExpiringTokens } from '../../src/storage/access/expiring-token.ts'
import type { Db } from '../../src/storage/database.ts'
import { onNodes } from '../cache/nodes.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { estate } from '../harness/estate.ts'
import { playground } from '../sandbox/fixture.ts'
import { allAfter, page, starts } from './reading.ts'

const day = (day: string, time = '00:00:00.000') => `2999-01-${day}T${time}Z`
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const announce = (db: Db, now: string) => db.write((tx) => announceExpiringTokens(tx, now))

async function create(db: Db, partner: string, expiresAt: string | null): Promise<Token> {
  const issued = await createToken(db, { partner, name: `token of ${partner}`, expiresAt, allowedRanges: [] })
  assert.ok(issued)
  return issued.token
}

/** Returns a reader of the tokens that were announced to a partner since this call, with their ends. */
async function announced(atrium: TestAtrium, as: string) {
  const after = (await starts(atrium, [as])).get(as) ?? ''
  return async () => {
    const events = await allAfter(atrium, as, after)
    return events.filter(({ type }) => type === 'token.expiring').map(({ data }) => [data.id, data.expires_at])
  }
}

onNodes('token.expiring', estate, (nodes) => {
  const dbs = () => [nodes().a.service.db, nodes().b.service.db, nodes().operator]
  /** Looks for tokens that end soon on all nodes at the same time, twice. */
  const passes = (now: string) => Promise.all([...dbs(), ...dbs()].map((db) => announce(db, now)))

  for (const as of ['ward', 'stranger']) {
    test(`is sent to ${as} once, seven days before the end, and to no other partner`, async () => {
      const { a, b } = nodes()
      const from = await starts(a, ['everything', 'ward', 'stranger'])
      const { id, name } = await create(a.service.db, as, day('08'))
      await passes('2998-12-31T23:59:59.999Z')
      assert.deepEqual(await allAfter(b, as, from.get(as) ?? ''), [])
      await passes(day('01'))
      await passes(day('02'))
      await passes(day('09'))
      for (const partner of from.keys()) {
        const events = await allAfter(b, partner, from.get(partner) ?? '')
        const expected = [
          {
            type: 'token.expiring',
            occurred_at: day('01'),
            origin: 'other',
            data: { id, name, expires_at: day('08') },
          },
        ]
        assert.deepEqual(
          events.map(({ id: _id, ...event }) => event),
          partner === as ? expected : [],
          partner,
        )
      }
    })
  }

  test('is sent again for another end, and not for the same one', async () => {
    const { a, b, operator } = nodes()
    const seen = await announced(b, 'ward')
    const { id } = await create(operator, 'ward', day('08'))
    const change = (change: object) => changeToken(operator, id, change, commandLine)
    await passes(day('02'))
    await change({ name: 'another name' })
    await passes(day('02'))
    await change({ expiresAt: day('20') })
    await passes(day('03'))
    await change({ expiresAt: day('08') })
    await passes(day('04'))
    assert.deepEqual(await seen(), [[id, day('08')]])
    await change({ expiresAt: day('20') })
    await passes(day('14'))
    await change({ expiresAt: null })
    await passes(day('15'))
    await change({ expiresAt: day('16') })
    await Promise.all([passes(day('15')), announce(a.service.db, day('15'))])
    assert.deepEqual(await seen(), [
      [id, day('08')],
      [id, day('20')],
      [id, day('16')],
    ])
  })

  test('is not sent for tokens that are revoked, replaced, over or without an end', async () => {
    const { a, operator } = nodes()
    const seen = await announced(a, 'ward')
    const [revoked, replaced] = [await create(operator, 'ward', day('08')), await create(operator, 'ward', day('08'))]
    await create(operator, 'ward', day('02'))
    await create(operator, 'ward', null)
    await revokeToken(operator, revoked.id)
    const rotation = await rotateToken(operator, replaced.id, { graceSeconds: 3600, expiresAt: day('09') })
    assert.ok(typeof rotation === 'object')
    // The replaced token ends within the hour.
    await passes(inDays(0))
    await passes(day('02'))
    assert.deepEqual(await seen(), [[rotation.token.id, day('09')]])
  })

  test('is not sent for a token that lasts a week or less, unless its end is changed', async () => {
    const { a, operator } = nodes()
    const seen = await announced(a, 'ward')
    const { id } = await create(operator, 'ward', inDays(7))
    await passes(inDays(0))
    await passes(inDays(6))
    assert.deepEqual(await seen(), [])
    const end = inDays(3)
    await changeToken(operator, id, { expiresAt: end }, commandLine)
    await passes(inDays(0))
    assert.deepEqual(await seen(), [[id, end]])
  })

  test('is sent for each of many tokens', async () => {
    const { a, operator } = nodes()
    const seen = await announced(a, 'ward')
    const ids: string[] = []
    while (ids.length < 101) ids.push((await create(operator, 'ward', day('30'))).id)
    while ((await passes(day('25'))).includes(true));
    assert.deepEqual((await seen()).map(([id]) => id).sort(), ids.sort())
  })

  test('in a sandbox is sent to the sandbox alone', async () => {
    const { a, operator } = nodes()
    const play = await playground(a, 'ward', ['chu-nord'])
    const after = await play.cursor()
    const [seen] = [await announced(a, 'ward')]
    const { id } = await create(operator, play.id, day('20'))
    await passes(day('16'))
    assert.deepEqual(
      (await play.eventsAfter(after)).map(({ type, data }) => [type, (data as Token).id]),
      [['token.expiring', id]],
    )
    assert.deepEqual(await seen(), [])
  })

  test('is found by its type, and left out by a facility', async () => {
    const { a, operator } = nodes()
    const after = (await starts(a, ['ward'])).get('ward') ?? ''
    const { id } = await create(operator, 'ward', day('25'))
    await passes(day('19'))
    const ids = async (query: string) => (await allAfter(a, 'ward', after, query)).map(({ data }) => data.id)
    assert.deepEqual(await ids('&types=token.expiring'), [id])
    assert.deepEqual(await ids('&types=area.opened'), [])
    assert.deepEqual(await ids('&facility=chu-nord'), [])
  })

  test('is sent by the clock, and not again after a restart', async () => {
    const { a, operator, database, engine } = nodes()
    const after = (await starts(a, ['bare'])).get('bare') ?? ''
    const { id } = await create(operator, 'bare', null)
    await changeToken(operator, id, { expiresAt: inDays(6) }, commandLine)
    const told: string[] = []
    for (let next = after; told.length === 0; ) {
      const found = await page(a, 'bare', `?after=${next}&wait=30`)
      told.push(...found.data.map(({ data }) => data.id))
      next = found.next
    }
    const restarted = await startAtrium(engine, { database })
    try {
      await announce(restarted.service.db, inDays(0))
      Object.assign(restarted.tokens, a.tokens)
      const ids = (await allAfter(restarted, 'bare', after)).map(({ data }) => data.id)
      assert.deepEqual([told, ids], [[id], [id]])
    } finally {
      await restarted.stop()
    }
  })
})
