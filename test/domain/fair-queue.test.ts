import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from '../../src/domain/fair-queue.ts'

function taken(queue: FairQueue<string>): string {
  let all = ''
  for (let next = queue.take(); next !== undefined; next = queue.take()) all += next
  return all
}

test('keys are served round-robin, each in its order', () => {
  const queue = new FairQueue<string>({ perKey: 9, total: 9 })
  for (const entry of ['1', '2', '3', '4']) queue.add('a', entry)
  queue.add('b', 'x')
  queue.add('c', 'y')
  assert.equal(queue.take(), '1')
  queue.add('b', 'z')
  assert.equal(taken(queue), 'xy2z34')
  assert.equal(queue.size, 0)
})

test('is bounded per key and in total', () => {
  const queue = new FairQueue<string>({ perKey: 2, total: 3 })
  assert.deepEqual(
    ['a', 'a', 'a', 'b', 'c'].map((key) => queue.add(key, key)),
    [true, true, false, true, false],
  )
  assert.equal(taken(queue), 'aba')
  assert.ok(queue.add('c', 'c'), 'there is room again')
})

test('all entries of a key can be removed', () => {
  const queue = new FairQueue<string>({ perKey: 9, total: 9 })
  for (const entry of ['1', '2']) queue.add('a', entry)
  queue.add('b', 'x')
  assert.deepEqual([queue.takeAll('a'), queue.takeAll('none'), queue.size], [['1', '2'], [], 1])
  assert.equal(taken(queue), 'x')
})
