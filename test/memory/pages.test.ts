import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Packed, type Page, Pages, packedAtMost } from '../../src/storage/memory/pages.ts'
import { Random } from '../torture/random.ts'

interface Kept extends Packed {
  text: string
}

function kept(text: string): Kept {
  return { text, packedBytes: Buffer.byteLength(text), page: undefined, at: 0 }
}

function textOf({ page, at, packedBytes }: Kept): string {
  return (page as Page).bytes.toString('utf8', at, at + packedBytes)
}

const pageBytes = 1024 * 1024

describe('bytes that are packed', () => {
  const sizes = { short: { steps: 40_000, letters: 600 }, long: { steps: 4000, letters: packedAtMost / 2 } }
  for (const [size, { steps, letters }] of Object.entries(sizes)) {
    // Where there is more than was expected, it has memory of its own.
    for (const limitBytes of [100_000_000, 1000]) {
      test(`and ${size}, with room for ${limitBytes}, are the same wherever they were moved, with little empty`, () => {
        shuffle(new Pages(limitBytes), steps, letters)
      })
    }
  }

  function shuffle(pages: Pages, steps: number, letters: number): void {
    const random = new Random(1)
    const all: Kept[] = []
    let used = 0
    for (let step = 0; step < steps; step++) {
      const isGrowing = step % (steps / 4) < steps * 0.15
      if (all.length === 0 || random.chance(isGrowing ? 0.7 : 0.3)) {
        const one = kept(`${step} ${'é'.repeat(random.below(letters))}`.slice(0, packedAtMost / 2))
        pages.put(one, '', Buffer.from(one.text))
        all.push(one)
        used += one.packedBytes
      } else {
        const [one] = all.splice(random.below(all.length), 1) as [Kept]
        pages.take(one)
        used -= one.packedBytes
        assert.equal(one.page, undefined)
      }
      assert.ok(pages.room * 0.9 <= used + pageBytes * 2, `${pages.room} for ${used}`)
    }
    assert.ok(all.length > steps / 40)
    for (const one of all) assert.equal(textOf(one), one.text)
  }

  test('are overwritten when they go', () => {
    const pages = new Pages(100_000)
    const one = kept('a guest')
    pages.put(one, '', Buffer.from(one.text))
    const { bytes } = one.page as Page
    pages.take(one)
    assert.ok(!bytes.includes('guest'))
  })
})
