import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLinearizable, shortest } from './check.ts'
import type { Answer, Operation, Request, Sight, Step } from './history.ts'
import { linesOf } from './print.ts'

const first = { cycle: null, services: [], etag: 'e0' }
const area: Request = { kind: 'read', route: 'area' }
const add = (code: string): Step => ({ kind: 'add', code })
const all = (...steps: Step[]): Request => ({ kind: 'all', steps })
const remove = (code: string): Request => ({ kind: 'delete', code })
const change = (code: string, label: string): Request => ({ kind: 'change', code, label })
/** Both lists with a space between their items. */
const replace = (kept: string, added = ''): Request => {
  const [keptOnes = [], addedOnes = []] = [kept, added].map((list) => list.split(' ').filter(Boolean))
  return { kind: 'replace', kept: keptOnes, added: addedOnes }
}
const open = { kind: 'open' } as const
const close = { kind: 'close' } as const
const shows = (services: string, etag?: string): Answer => ({
  said: 'done',
  sight: { services: services === '' ? [] : services.split(' '), ...(etag && { etag }) },
})
const cycle = (id: string | null, services = ''): Answer => ({
  said: 'done',
  sight: { cycle: id, services: services === '' ? [] : services.split(' ') },
})
const eachShows = (...steps: Sight[]): Answer => ({ said: 'done', sight: steps.at(-1) as Sight, steps })
const absent: Answer = { said: 'no such service' }
const movedOn: Answer = { said: 'moved on' }

/** Begin, end, request, response; without a response there is no end. */
type Row = [begin: number, end: number, request: Request, answer?: Answer]

const operation = ([begin, end, request, answer]: Row, client: number): Operation => ({
  client,
  begin,
  end: answer === undefined ? Number.POSITIVE_INFINITY : end,
  request,
  answer,
})
const history = (rows: Row[]) => ({ first, operations: rows.map(operation) })

const good: Record<string, Row[]> = {
  'nothing at all': [],
  'one after the other': [
    [1, 2, add('a'), shows('a')],
    [3, 4, remove('a'), shows('')],
    [5, 6, remove('a'), absent],
  ],
  'two at the same time, in the order that their responses show': [
    [1, 5, add('a'), shows('b a')],
    [2, 6, add('b'), shows('b')],
  ],
  'a read that begins before a write ends may see it or not': [
    [1, 6, add('a'), shows('a')],
    [2, 3, area, shows('')],
    [4, 5, area, shows('a')],
  ],
  'a write without a response that happened later': [
    [1, 0, add('a')],
    [2, 3, area, shows('')],
    [4, 5, area, shows('a')],
  ],
  'a write without a response that never happened': [
    [1, 0, add('a')],
    [2, 3, area, shows('')],
    [4, 5, remove('a'), absent],
  ],
  'an opening without a response, whose cycle a read shows': [
    [1, 0, open],
    [2, 3, area, cycle('c1')],
    [4, 5, area, cycle('c1')],
  ],
  'a reset between two adds': [
    [1, 6, add('a'), shows('a')],
    [2, 7, open, cycle('c1')],
    [3, 8, add('b'), shows('b')],
    [9, 10, area, cycle('c1', 'b')],
  ],
  'a condition that fails after a change': [
    [1, 2, add('a'), shows('a', 'e1')],
    [3, 4, { ...close, onlyIf: { etag: 'e0' } }, movedOn],
    [5, 6, { ...close, onlyIf: { etag: 'e1' } }, cycle(null)],
  ],
  'a label that changes, and a subscription without it that is no more': [
    [1, 2, add('a'), shows('a')],
    [3, 4, change('a', 'x'), shows('a=x')],
    [5, 6, remove('a'), shows('')],
    [7, 8, change('a', 'y'), absent],
  ],
  'a replacement: what stays keeps its place, the new ones are behind it': [
    [1, 2, add('a'), shows('a')],
    [3, 4, add('b'), shows('a b')],
    [5, 6, add('c'), shows('a b c')],
    [7, 8, replace('c=x a', 'd e'), shows('a c=x d e')],
    [9, 10, replace('b a', 'f'), absent],
    [11, 12, area, shows('a c=x d e')],
  ],
  'a replacement that changes nothing, not even the tag': [
    [1, 2, add('a'), shows('a', 'e1')],
    [3, 4, replace('a'), shows('a', 'e1')],
  ],
  'several operations as one, and one that is refused as a whole': [
    [1, 2, all(open, add('a')), eachShows({ cycle: 'c1', services: [] }, { cycle: 'c1', services: ['a'] })],
    [3, 4, all(add('b'), { ...close, onlyIf: { cycle: 'c0' } }), { said: 'moved on', at: 1 }],
    [5, 6, area, cycle('c1', 'a')],
    [7, 0, all(close, add('c'))],
    [8, 9, area, cycle(null, 'c')],
  ],
  'closing a closed room changes not even its tag': [
    [1, 2, close, { said: 'done', sight: { cycle: null, services: [], etag: 'e0' } }],
    [3, 4, area, shows('', 'e0')],
  ],
}

const bad: Record<string, Row[]> = {
  'a read that does not see what was acknowledged': [
    [1, 2, add('a'), shows('a')],
    [3, 4, area, shows('')],
  ],
  'a read that sees what the one before it no longer saw': [
    [1, 10, remove('a'), shows('')],
    [0, 0.5, add('a'), shows('a')],
    [2, 3, area, shows('')],
    [4, 5, area, shows('a')],
  ],
  'a lost update': [
    [1, 5, add('a'), shows('a')],
    [2, 6, add('b'), shows('b')],
  ],
  'a reset that leaves something behind': [
    [1, 2, add('a'), shows('a')],
    [3, 4, open, cycle('c1', 'a')],
  ],
  'a subscription that was never added': [[1, 2, area, shows('ghost')]],
  'an opening that keeps the cycle': [
    [1, 2, open, cycle('c1')],
    [3, 4, open, cycle('c1')],
  ],
  'a cycle that comes back': [
    [1, 2, open, cycle('c1')],
    [3, 4, open, cycle('c2')],
    [5, 6, area, cycle('c1')],
  ],
  'one thing deleted twice': [
    [1, 2, add('a'), shows('a')],
    [3, 5, remove('a'), shows('')],
    [4, 6, remove('a'), shows('')],
  ],
  'half a replacement': [
    [1, 2, add('a'), shows('a')],
    [3, 8, replace('', 'b'), shows('b')],
    [4, 5, area, shows('')],
    [6, 7, area, shows('b')],
  ],
  'a replacement without what was added before it': [
    [1, 2, add('a'), shows('a')],
    [3, 4, replace('', 'b'), shows('a b')],
  ],
  'a read between two operations that are one': [
    [1, 4, all(add('a'), add('b')), eachShows({ services: ['a'] }, { services: ['a', 'b'] })],
    [2, 3, area, shows('a')],
  ],
  'several operations of which a refused one left the first': [
    [1, 2, all(add('a'), { ...close, onlyIf: { cycle: 'c0' } }), { said: 'moved on', at: 1 }],
    [3, 4, area, shows('a')],
  ],
  'several operations of which one is lost': [
    [1, 2, all(open, add('a')), eachShows({ cycle: 'c1', services: [] }, { cycle: 'c1', services: [] })],
  ],
  'a refused replacement that changed something': [
    [1, 2, add('a'), shows('a')],
    [3, 4, replace('ghost', 'b'), absent],
    [5, 6, area, shows('a b')],
  ],
  'a change that another one takes back': [
    [1, 2, add('a'), shows('a')],
    [3, 4, change('a', 'x'), shows('a=x')],
    [5, 6, add('b'), shows('a b')],
  ],
  'an unanswered write that happened, and then had not': [
    [1, 0, add('a')],
    [2, 3, area, shows('a')],
    [4, 5, area, shows('')],
  ],
  'a condition that held although it had failed': [
    [1, 2, add('a'), shows('a', 'e1')],
    [3, 4, { ...close, onlyIf: { etag: 'e0' } }, cycle(null)],
  ],
  'a condition that failed although it held': [[1, 2, { ...open, onlyIf: { etag: 'e0' } }, movedOn]],
  'a tag of before, with what it stood for': [
    [1, 2, add('a'), shows('a', 'e1')],
    [3, 4, remove('a'), shows('', 'e2')],
    [5, 6, area, shows('', 'e0')],
  ],
}

describe('the checker of histories', () => {
  for (const [title, rows] of Object.entries(good)) {
    test(`accepts: ${title}`, () => assert.equal(isLinearizable(history(rows)), true))
  }
  for (const [title, rows] of Object.entries(bad)) {
    test(`refuses: ${title}`, () => assert.equal(isLinearizable(history(rows)), false))
  }

  test('is done soon with many at the same time, none of which fits', () => {
    const adds = Array.from({ length: 12 }, (_, n): Row => [n, 100, add(`${n}`), shows('never')])
    const unanswered = Array.from({ length: 6 }, (_, n): Row => [n, 0, add(`u${n}`)])
    assert.equal(isLinearizable(history([...adds, ...unanswered])), false)
  })

  test('shortens a history to what is wrong and how it came about', () => {
    const rows: Row[] = [
      [1, 2, open, cycle('c1')],
      [3, 8, add('a'), shows('a')],
      [4, 9, add('b'), shows('a b')],
      [5, 6, area, cycle('c1', 'a')],
      [10, 11, remove('b'), shows('a')],
      [12, 13, area, cycle('c1', 'a b')],
      [14, 15, close, cycle(null)],
    ]
    const found = shortest(history(rows))
    assert.equal(isLinearizable(found), false)
    assert.deepEqual(linesOf(found), [
      'at first: closed, [], tag e0',
      ' 1 to  2  client 0: open → cycle c1, []',
      ' 3 to  5  client 1: add a → [a]',
      ' 4 to  6  client 2: add b → [a b]',
      ' 7 to  8  client 4: delete b → [a]',
      ' 9 to 10  client 5: read area → cycle c1, [a b]',
    ])
  })

  test('shortens soon what many clients did at the same time', () => {
    const adds = Array.from({ length: 20 }, (_, n): Row => [n, 100 + n, add(`${n}`), shows(`${n}`)])
    const found = shortest(history([...adds, [200, 201, area, shows('')]]))
    assert.equal(isLinearizable(found), false)
    assert.ok(found.operations.length < 21)
  })
})
