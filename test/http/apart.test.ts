import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftList } from '../../src/domain/autocomplete-list.ts'
import { bytesOf, textOf } from '../../src/domain/bytes.ts'
import type { Refusal } from '../../src/domain/refusal.ts'
import { Apart } from '../../src/http/apart.ts'

const rules = { facility: 'lyon-01', entries: 2_000, jsonDepth: 5 }
const entries = '[{"id_external":"lyon-01-old","name":"Old"}]'
/** Each time in memory of their own, which is handed over. */
const present = async () => ({ before: bytesOf(entries), packs: true })
const many = (count: number, name = 'Room') =>
  Array.from({ length: count }, (_, n) => ({ id_external: `${n}`, name: `${name} ${n} ${'é'.repeat(20)}` }))
const body = (value: unknown) => Buffer.from(JSON.stringify({ value }))
const sound = () => body(many(1_000))

const bodies: Record<string, Buffer> = {
  'a sound list': sound(),
  'ids that may be full ones': body(many(1_000).map((entry) => ({ ...entry, id_external: `lyon-01-${entry.name}` }))),
  'too many entries': body(many(2_001)),
  'a repeated id': body([...many(1_000), { id_external: '7', name: 'Again' }]),
  'entries that are no objects': body([...many(1_000), 1, null]),
  'a cut text': sound().subarray(0, 40_000),
  'bytes that are no UTF-8': Buffer.alloc(40_000, 0xff),
}

async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    const { code, message, facts } = error as Refusal
    return { code, message, facts }
  }
}

describe('a body that is read by a thread of its own', () => {
  for (const [what, bytes] of Object.entries(bodies)) {
    test(`ends as one that is read here: ${what}`, async () => {
      const apart = await outcome(() => new Apart().draftList(Buffer.from(bytes), rules, present))
      assert.deepEqual(apart, await outcome(async () => draftList(bytes, { ...rules, ...(await present()) })))
    })
  }

  test('is not mixed up with others on their way', async () => {
    const apart = new Apart()
    const drafts = await Promise.all(
      [1, 2, 3, 4].map((n) => apart.draftList(body(many(1_000, `Nº ${n}`)), rules, present)),
    )
    assert.deepEqual(
      drafts.map((draft) => /Nº \d/.exec(textOf(draft.entries))?.[0]),
      ['Nº 1', 'Nº 2', 'Nº 3', 'Nº 4'],
    )
  })

  test('keeps no process from ending once it is done', async () => {
    await new Apart().draftList(sound(), rules, present)
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort'),
      [],
    )
  })

  test('is given up when a contract takes too long over it, and what waits behind it is done all the same', async () => {
    const apart = new Apart()
    const contract = JSON.stringify({ properties: { text: { pattern: '^(a+)+$' } } })
    const limits = {
      jsonDepth: 5,
      postSubscriptions: 9,
      roomSubscriptions: 9,
      roomBytes: 99_999,
      subscriptionBytes: 16_384,
    }
    const read = (text: string) => {
      const bytes = body(JSON.stringify([{ code: 'c', text }]))
      return outcome(() => apart.draftSubscriptions(bytes, { timezone: 'UTC', contract, limits }))
    }
    const [endless, sound] = await Promise.all([read(`${'a'.repeat(5000)}!`), read('aaa')])
    assert.equal((endless as Refusal).code, 'item_invalid')
    assert.match((endless as Refusal).message, /takes too long/)
    assert.equal((sound as { code: string }[])[0]?.code, 'c')
  })
})
