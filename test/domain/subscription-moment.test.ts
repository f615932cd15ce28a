import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/domain/identifier.ts'
import { parseSubscription, subscriptionJson } from '../../src/domain/room/stored-room.ts'
import { firstOf, momentsOf, nextMoment } from '../../src/domain/room/subscription-moment.ts'

const added = '2026-11-16T08:00:00.000Z'
const at = (time: string) => `2026-11-16T${time}:00.000Z`

const table = [
  { what: 'no times', start: null, end: null, is: [] },
  { what: 'a start in the future', start: at('09:00'), end: null, is: [['start', at('09:00')]] },
  { what: 'a start that was when it was added', start: at('08:00'), end: null, is: [] },
  {
    what: 'an end in the future',
    start: at('07:00'),
    end: at('12:00'),
    is: [
      ['nearEnd', at('11:00')],
      ['end', at('12:00')],
    ],
  },
  { what: 'an end that is near already', start: null, end: at('08:30'), is: [['end', at('08:30')]] },
  {
    what: 'one that is shorter than the time before its end',
    start: at('09:00'),
    end: at('10:00'),
    is: [
      ['start', at('09:00')],
      ['end', at('10:00')],
    ],
  },
  { what: 'one that was over when it was added', start: at('06:00'), end: at('07:00'), is: [] },
]

describe('the moments of a service at which events are due', () => {
  for (const { what, start, end, is } of table) {
    test(what, () => {
      const draft = { code: 'tv', label: null, status: 'active', start, end, extra: {} }
      const subscription = parseSubscription(subscriptionJson({ ...draft, id: newId(Date.parse(added)) }))
      const moments = momentsOf(subscription, 3600)
      assert.deepEqual(
        moments.map((moment) => [moment.kind, moment.at]),
        is,
      )
      assert.equal(nextMoment(moments, added), is[0]?.[1] ?? null)
      assert.ok(momentsOf(subscription, 0).every(({ kind }) => kind !== 'nearEnd'))
    })
  }

  test('the first of some times', () => {
    assert.equal(firstOf([]), null)
    assert.equal(firstOf([null, at('09:00'), null, at('08:00')]), at('08:00'))
  })
})
