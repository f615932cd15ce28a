import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftList } from '../../src/domain/autocomplete-list.ts'
import { bytesOf, textOf } from '../../src/domain/bytes.ts'
import type { Refusal } from '../../src/domain/refusal.ts'
import { BodyParser } from '../../src/http/threads/body-parser.ts'

const rules = { facility: 'lyon-01', entries: 2_000, jsonDepth: 5 }
const entries = '[{"id_external":"lyon-01-old","name":"Old"}]'
/** Returns a new buffer each time, since it is transferred. */
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

describe('a body that is parsed in a worker thread', () => {
  for (const [what, bytes] of Object.entries(bodies)) {
    test(`has the same result as on the event loop: ${what}`, async () => {
      const inThread = await outcome(() => new BodyParser().draftList('p', Buffer.from(bytes), rules, present))
      assert.deepEqual(inThread, await outcome(async () => draftList(bytes, { ...rules, ...(await present()) })))
    })
  }

  test('is not mixed up with concurrent ones', async () => {
    const parser = new BodyParser()
    const drafts = await Promise.all(
      [1, 2, 3, 4].map((n) => parser.draftList('p', body(many(1_000, `Nº ${n}`)), rules, present)),
    )
    assert.deepEqual(
      drafts.map((draft) => /Nº \d/.exec(textOf(draft.entries))?.[0]),
      ['Nº 1', 'Nº 2', 'Nº 3', 'Nº 4'],
    )
  })

  test('does not keep the process running once it is done', async () => {
    await new BodyParser().draftList('p', sound(), rules, present)
    assert.deepEqual(
      process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort'),
      [],
    )
  })

  test('is refused when the contract takes too long, and the next one is parsed all the same', async () => {
    const parser = new BodyParser()
    const [endless, sound] = await Promise.all([
      outcome(() => services(parser, 'p', endlessText)),
      outcome(() => services(parser, 'p', 'aaa')),
    ])
    assert.equal((endless as Refusal).code, 'item_invalid')
    assert.match((endless as Refusal).message, /takes too long/)
    assert.equal((sound as { code: string }[])[0]?.code, 'c')
  })
})

const contract = JSON.stringify({ properties: { text: { pattern: '^(a+)+$' } } })
const endlessText = `${'a'.repeat(5000)}!`
const limits = {
  jsonDepth: 5,
  postSubscriptions: 9,
  roomSubscriptions: 9,
  roomBytes: 99_999,
  subscriptionBytes: 16_384,
}

function services(parser: BodyParser, partner: string, text: string) {
  const bytes = body(JSON.stringify([{ code: 'c', text }]))
  return parser.parseServices(partner, bytes, { form: 'legacy', timezone: 'UTC', contract, limits })
}

describe('partners share the worker threads', () => {
  test('a partner with a slow contract does not delay another', async () => {
    const parser = new BodyParser()
    let over = 0
    const slow = Array.from({ length: 5 }, () =>
      outcome(() => services(parser, 'slow', endlessText)).then(() => over++),
    )
    await services(parser, 'quiet', 'aaa')
    assert.equal(over, 0, 'none of them is over yet')
    await services(parser, 'quiet', 'aaa')
    assert.ok(over <= 1, `${over} were waited for`)
    await Promise.all(slow)
  })

  test('a partner with many long lists delays another by a few of them', async () => {
    const parser = new BodyParser()
    let done = 0
    const busy = Array.from({ length: 20 }, () => parser.draftList('busy', sound(), rules, present).then(() => done++))
    await parser.draftList('quiet', sound(), rules, present)
    assert.ok(done <= 3, `${done} of 20 were waited for`)
    await Promise.all(busy)
  })

  test('the pending jobs of a partner are limited', async () => {
    const parser = new BodyParser()
    const all = await Promise.all(
      Array.from({ length: 12 }, () => outcome(() => services(parser, 'slow', endlessText))),
    )
    const codes = all.map((one) => (one as Refusal).code)
    assert.equal(codes.filter((code) => code === 'item_invalid').length, 5, 'one under way, four that wait')
    for (const refused of all.filter((one) => (one as Refusal).code !== 'item_invalid')) {
      assert.equal((refused as Refusal).code, 'overloaded')
      assert.equal((refused as Refusal).facts.retryAfterSeconds, 1)
    }
  })
})
