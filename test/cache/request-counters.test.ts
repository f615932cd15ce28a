import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RequestCounters } from '../../src/operations/background/request-counters.ts'

interface Sums {
  requests: number
  durationUs: number
  slowestUs: number
}

function add(sums: Map<string, Sums>, place: string, { requests, durationUs, slowestUs }: Sums): void {
  const sum = sums.get(place) ?? { requests: 0, durationUs: 0, slowestUs: 0 }
  sums.set(place, {
    requests: sum.requests + requests,
    durationUs: sum.durationUs + durationUs,
    slowestUs: Math.max(sum.slowestUs, slowestUs),
  })
}

function taken(counters: RequestCounters<number>, sums: Map<string, Sums>, max: number): number {
  const counts = counters.take(max)
  for (const { minute, partner, kind: status, ...count } of counts) add(sums, `${minute} ${partner} ${status}`, count)
  return counts.length
}

const minuteOf = (minute: number) => new Date(minute * 60_000).toISOString()

const step = fc.oneof(
  { weight: 20, arbitrary: fc.record({ partner: fc.nat(6), status: fc.constantFrom(200, 304, 404), us: fc.nat(1e9) }) },
  fc.record({ take: fc.nat(8) }),
  fc.constant('next minute' as const),
)

test('each request is counted once, in its own minute, whenever counts are taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const counters = new RequestCounters<number>()
      const [expected, found] = [new Map<string, Sums>(), new Map<string, Sums>()]
      let minute = 29_000_000
      for (const one of steps) {
        if (one === 'next minute') minute++
        else if ('take' in one) assert.ok(taken(counters, found, one.take) <= one.take)
        else {
          counters.add(`p-${one.partner}`, one.status, minute, one.us)
          const count = { requests: 1, durationUs: one.us, slowestUs: one.us }
          add(expected, `${minuteOf(minute)} p-${one.partner} ${one.status}`, count)
        }
      }
      taken(counters, found, counters.waiting)
      assert.equal(counters.waiting, 0)
      assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()))
    }),
  )
})

test('more partners than fit in memory are all counted', () => {
  const counters = new RequestCounters<number>()
  const many = 70_000
  for (let n = 0; n < many; n++) counters.add(`p-${n}`, 200, 29_000_000, 5)
  assert.equal(counters.waiting, many)
  const counts = counters.take(many)
  assert.equal(new Set(counts.map(({ partner }) => partner)).size, many)
  assert.ok(counts.every(({ requests, durationUs }) => requests === 1 && durationUs === 5))
})

test('counts that are put back are taken again first', () => {
  const counters = new RequestCounters<number>()
  for (const partner of ['a', 'b', 'c']) counters.add(partner, 200, 29_000_000, 1)
  counters.putBack(counters.take(2))
  counters.add('a', 200, 29_000_000, 2)
  const names = counters.take(counters.waiting).map(({ partner, durationUs }) => `${partner} ${durationUs}`)
  assert.deepEqual(names, ['a 1', 'b 1', 'c 1', 'a 2'])
})
