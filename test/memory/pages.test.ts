import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Packed, type Page, Pages } from '../../src/storage/memory/pages.ts'
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

const pageBytes = 512 * 1024

describe('bytes that are packed', () => {
  test('are the same wherever they were moved, and what is empty stays little', () => {
    const random = new Random(1)
    const pages = new Pages()
    const all: Kept[] = []
    let used = 0
    for (let step = 0; step < 40_000; step++) {
      const isGrowing = step % 10_000 < 6000
      if (all.length === 0 || random.chance(isGrowing ? 0.7 : 0.3)) {
        const one = kept(`${step} ${'é'.repeat(random.below(600))}`)
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
    assert.ok(all.length > 1000)
    for (const one of all) assert.equal(textOf(one), one.text)
  })

  test('are overwritten when they go', () => {
    const pages = new Pages()
    const one = kept('a guest')
    pages.put(one, '', Buffer.from(one.text))
    const { bytes } = one.page as Page
    pages.take(one)
    assert.ok(!bytes.includes('guest'))
  })
})
