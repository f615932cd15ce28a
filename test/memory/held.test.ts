import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Answers } from '../../src/storage/memory/answers.ts'
import { Bounded, type Weighed } from '../../src/storage/memory/bounded.ts'
import type { Shelf } from '../../src/storage/memory/ready-answer.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const triesAtMost = 20
const betweenTriesMs = 50

/** V8 itself may hold some for a while: what it has marked already, and what it is compiling code for. */
async function stillHeld(forgotten: WeakRef<object>[]): Promise<number> {
  let held = forgotten
  for (let tries = 0; tries < triesAtMost && held.length > 0; tries++) {
    await sleep(betweenTriesMs)
    collectGarbage()
    held = held.filter((one) => one.deref() !== undefined)
  }
  return held.length
}

const count = 1000
const numbers = Array.from({ length: count }, (_, at) => at)

/** What belonged to somebody who is gone is not only out of sight. */
describe('what is forgotten is held by nobody', () => {
  for (const fits of [count, count / 2]) {
    test(`of ${count} things in a map for ${fits}`, async () => {
      const kept = new Bounded<Weighed>(fits)
      const refs = numbers.map((at) => {
        const thing = { used: false, bytes: 1 }
        kept.set(`${at}`, thing)
        return new WeakRef(thing)
      })
      kept.set('another', { used: false, bytes: 1 })
      for (const at of numbers) kept.delete(`${at}`)
      kept.set('one more', { used: false, bytes: 1 })
      assert.equal(await stillHeld(refs), 0)
      assert.ok(kept.size > 0)
    })

    test(`of the answers on ${count} shelves, large ones, with room for ${fits}`, async () => {
      const answers = new Answers(fits * 70_160)
      const shelves = numbers.map((id): Shelf => ({ id, answers: 0 }))
      const refs = shelves.map((shelf) => new WeakRef(answers.keep(shelf, 0, Buffer.alloc(70_000))))
      for (const shelf of shelves) answers.drop(shelf)
      assert.equal(await stillHeld(refs), 0)
      assert.equal(answers.figures.entries, 0)
    })
  }

  test(`of what ${count} small answers are in another encoding`, async () => {
    const answers = new Answers(10_000_000)
    const shelves = numbers.map((id): Shelf => ({ id, answers: 0 }))
    const refs = shelves.map((shelf) => {
      const encoded = Buffer.from(`gzip of ${shelf.id}`)
      answers.keepEncoded(answers.keep(shelf, 0, `"${shelf.id}"`), 'gzip', encoded)
      return new WeakRef(encoded)
    })
    for (const shelf of shelves) answers.drop(shelf)
    assert.equal(await stillHeld(refs), 0)
  })
})
