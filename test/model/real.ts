import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../../src/operations/access/token.ts'
import type { Answered, TestAtrium } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { seed } from '../harness/seed.ts'
import { type EstateSketch, estateFile, partnerId } from './estate.ts'
import type { Expected, Model, Success } from './model.ts'
import { type Learnt, match } from './unknown.ts'

export interface Seen {
  etag: string
  /** The representation of the ETag according to the model. */
  text: string
}

/** The server under test, and what its clients have seen of it. */
export interface Real {
  atrium: TestAtrium
  learned: Learnt
  /** The ETag that each partner last received of a resource. */
  seen: Map<string, Seen>
  /** A bijection between ETags and representations. */
  texts: Map<string, string>
  etags: Map<string, string>
  /** The bytes of the first response to each idempotency key. */
  first: Map<string, string>
  /** The requests with idempotency keys, to be repeated unchanged or with another body. */
  keyed: ((model: Model, real: Real, otherBody: boolean) => Promise<unknown>)[]
  /** The kinds of responses that occurred, so that the test can require each of them. */
  met: Set<string>
}

/** Replaces the estate by that of the sketch, with new tokens. */
export async function newReal(
  atrium: TestAtrium,
  sketch: EstateSketch,
  firstId: number,
  met: Set<string>,
): Promise<Real> {
  const { db } = atrium.service
  await seed(db, { facilities: [], partners: [] }, { prune: true })
  const estate = estateFile(sketch, firstId)
  await seed(db, estate)
  for (const { id: partner } of estate.partners) {
    const issued = await createToken(db, { partner, name: 'model', expiresAt: null, allowedRanges: [] })
    atrium.tokens[partner] = issued?.secret ?? ''
  }
  const learnt = { values: new Map(), ids: new Set<string>() }
  return {
    atrium,
    learned: learnt,
    seen: new Map(),
    texts: new Map(),
    etags: new Map(),
    first: new Map(),
    keyed: [],
    met,
  }
}

export interface Asking {
  partner: number
  request: string
  headers?: Record<string, string>
  body?: string | undefined
  /** The resource whose ETag the response has. */
  resource?: string
  /** What the response is noted as; by default the method of the request. */
  as?: string
  /** The idempotency key, whose first response must be repeated byte for byte. */
  keyed?: string | undefined
}

/** Sends a request and compares the response with that of the model. */
export async function exchange(real: Real, asking: Asking, expected: Expected): Promise<Answered> {
  const { partner, request, headers = {}, body } = asking
  // Two changes within a millisecond could result in the same bytes, and so in the same ETag.
  if (!request.startsWith('GET')) await sleep(2)
  const answer = await real.atrium.ask(request, {
    as: partnerId(partner),
    headers: { 'accept-encoding': 'identity', ...headers },
    ...(body !== undefined && { body }),
  })
  try {
    compare(real, asking, expected, answer)
  } catch (error) {
    const what = `${partnerId(partner)}: ${request} ${JSON.stringify(headers)} ${body ?? ''}`
    const said = `${answer.status} ${answer.text}\nexpected ${JSON.stringify(expected)}`
    throw new Error(`${what}\nanswered ${said}\n${error instanceof Error ? error.message : error}`)
  }
  const kind = 'code' in expected ? ` ${expected.code}` : expected.replayed ? ' replayed' : ''
  real.met.add(`${asking.as ?? request.split(' ')[0]} ${answer.status}${kind}`)
  return answer
}

function compare(real: Real, { partner, resource, keyed }: Asking, expected: Expected, answer: Answered): void {
  assert.equal(answer.status, expected.status)
  if ('code' in expected) {
    assertProblem(answer, expected.status, expected.code)
    assert.deepEqual(answer.body.required, expected.required)
    return
  }
  match(real.learned, expected.body, answer.body)
  assert.equal(answer.headers.get('idempotency-replayed'), expected.replayed ? 'true' : null)
  if (keyed !== undefined && expected.replayed) assert.equal(answer.text, real.first.get(keyed))
  else if (keyed !== undefined) real.first.set(keyed, answer.text)
  if (expected.tagged === undefined) return assert.equal(answer.headers.get('etag'), null)
  const seen = tag(real, expected, answer)
  if (resource !== undefined) real.seen.set(`${partner} ${resource}`, seen)
}

function tag({ texts, etags }: Real, { tagged }: Success, answer: Answered): Seen {
  const etag = answer.headers.get('etag') ?? ''
  const text = JSON.stringify(tagged)
  assert.match(etag, /^"[\w-]+"$/)
  assert.equal(etags.get(text) ?? etag, etag, 'the same representation had another ETag')
  assert.equal(texts.get(etag) ?? text, text, 'this ETag was that of another representation')
  etags.set(text, etag)
  texts.set(etag, text)
  return { etag, text }
}
