import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadQueue } from '../../src/takeover/read-queue.ts'

test('a facility is due until it was read, and later after each failure', () => {
  const queue = new ReadQueue()
  queue.add(['a', 'b'])
  const readAt: number[] = []
  for (let poll = 1; poll <= 150; poll++) {
    for (const id of queue.nextPoll()) {
      if (id === 'a') readAt.push(poll)
      if (id === 'a') queue.failed(id)
      else queue.done(id)
    }
  }
  assert.deepEqual(readAt, [1, 2, 4, 8, 16, 32, 64, 128])
  assert.deepEqual([queue.listFailed(), queue.isEmpty], [['a'], false])
})

test('the delay between two attempts has a limit, and a facility that is added is due at once', () => {
  const queue = new ReadQueue()
  const readAt: number[] = []
  queue.add(['a'])
  for (let poll = 1; poll <= 300; poll++) {
    if (poll === 201) queue.add(['a'])
    if (queue.nextPoll().length === 0) continue
    readAt.push(poll)
    queue.failed('a')
  }
  assert.deepEqual(readAt, [1, 2, 4, 8, 16, 32, 64, 128, 192, 201, 265])
})

test('facilities that failed are read after those that did not', () => {
  const queue = new ReadQueue()
  queue.add(['a', 'b', 'c'])
  queue.nextPoll()
  queue.failed('a')
  queue.add(['a', 'd'])
  assert.deepEqual(queue.nextPoll(), ['b', 'c', 'd', 'a'])
  for (const id of ['a', 'b', 'c', 'd']) queue.done(id)
  assert.deepEqual([queue.nextPoll(), queue.listFailed(), queue.isEmpty], [[], [], true])
})
