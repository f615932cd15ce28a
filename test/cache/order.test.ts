import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { recordAudit } from '../../src/storage/audit/audit.ts'
import type { Tx } from '../../src/storage/engine.ts'
import { estate } from '../harness/estate.ts'
import { type Nodes, onNodes } from './nodes.ts'

async function rename(tx: Tx, facility: string, name: string): Promise<void> {
  await tx.query.updateTable('facility').set({ name }).where('id_external', '=', facility).execute()
  const at = new Date().toISOString()
  const entry = { at, actor: commandLine, action: 'facility.update', facility, partner: null, subject: null } as const
  recordAudit(tx, { ...entry, detail: {} })
}

/** A transaction that stays open after its work until the test ends it. */
async function holding({ operator }: Nodes, facility: string, name: string) {
  const ready = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const done = operator.write(async (tx) => {
    await rename(tx, facility, name)
    ready.resolve()
    await end.promise
  })
  await ready.promise
  return {
    commit: async () => {
      end.resolve()
      await done
    },
    takeBack: async () => {
      end.reject(new Error('taken back'))
      await assert.rejects(done, /taken back/)
    },
  }
}

const nameOn = async ({ b }: Nodes, facility: string) => {
  const one = (await b.ask(`GET /v1/facilities/${facility}`, { as: 'everything' })).body.name
  const { body } = await b.ask('GET /v1/facilities/', { as: 'everything' })
  const listed = body.find(({ id_external }: { id_external: string }) => id_external === facility).name
  assert.equal(listed, one)
  return one
}

onNodes('transactions that end in another order than they began', estate, (nodes) => {
  test('a change is seen once it is committed, however old it is by then', async () => {
    const before = await nameOn(nodes(), 'lyon-01')
    const held = await holding(nodes(), 'lyon-01', 'Held')
    // Meanwhile others poll and, if the engine allows it, write and commit.
    if (nodes().engine === 'postgres') {
      for (let n = 0; n < 3; n++) {
        await nodes().a.ask('PATCH /v1/facilities/chu-nord/name', { as: 'everything', body: { value: `Quick ${n}` } })
        assert.equal(await nameOn(nodes(), 'chu-nord'), `Quick ${n}`)
      }
    }
    assert.equal(await nameOn(nodes(), 'lyon-01'), before)
    await held.commit()
    assert.equal(await nameOn(nodes(), 'lyon-01'), 'Held')
  })

  test('a change that is rolled back is never visible', async () => {
    const before = await nameOn(nodes(), 'lyon-01')
    const held = await holding(nodes(), 'lyon-01', 'Never')
    assert.equal(await nameOn(nodes(), 'lyon-01'), before)
    await held.takeBack()
    assert.equal(await nameOn(nodes(), 'lyon-01'), before)
  })

  test('a partner’s change that waited for another is seen with it', async () => {
    const held = await holding(nodes(), 'lyon-01', 'First')
    const body = { value: 'Second' }
    const waiting = nodes().a.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body })
    await sleep(100)
    await held.commit()
    assert.equal((await waiting).status, 200)
    assert.equal(await nameOn(nodes(), 'lyon-01'), 'Second')
  })
})
