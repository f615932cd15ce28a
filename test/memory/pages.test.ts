import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pages, packedAtMost } from '../../src/storage/memory/pages.ts'
import { column, Rows } from '../../src/storage/memory/rows.ts'
import { Random } from '../torture/random.ts'

interface Packed {
  row: number
  text: string
}

function pagesFor(limitBytes: number) {
  const rows = new Rows()
  const pages = new Pages(rows, limitBytes)
  return {
    pages,
    put: (text: string): Packed => {
      const row = rows.take()
      pages.put(row, '', Buffer.from(text))
      return { row, text }
    },
    take: ({ row }: Packed) => {
      pages.take(row)
      assert.equal(rows.get(row, column.page), 0)
      rows.giveBack(row)
    },
    textOf: ({ row }: Packed) => {
      const at = rows.get(row, column.at)
      return pages.pageOf(row).toString('utf8', at, at + rows.get(row, column.bytes))
    },
  }
}

const pageBytes = 1024 * 1024

describe('bytes that are packed', () => {
  const sizes = { short: { steps: 40_000, letters: 600 }, long: { steps: 4000, letters: packedAtMost / 2 } }
  for (const [size, { steps, letters }] of Object.entries(sizes)) {
    // Where there is more than was expected, it has memory of its own.
    for (const limitBytes of [100_000_000, 1000]) {
      test(`and ${size}, with room for ${limitBytes}, are the same wherever they were moved, with little empty`, () => {
        shuffle(limitBytes, steps, letters)
      })
    }
  }

  function shuffle(limitBytes: number, steps: number, letters: number): void {
    const { pages, put, take, textOf } = pagesFor(limitBytes)
    const random = new Random(1)
    const all: Packed[] = []
    let used = 0
    for (let step = 0; step < steps; step++) {
      const isGrowing = step % (steps / 4) < steps * 0.15
      if (all.length === 0 || random.chance(isGrowing ? 0.7 : 0.3)) {
        const one = put(`${step} ${'é'.repeat(random.below(letters))}`.slice(0, packedAtMost / 2))
        all.push(one)
        used += Buffer.byteLength(one.text)
      } else {
        const [one] = all.splice(random.below(all.length), 1) as [Packed]
        take(one)
        used -= Buffer.byteLength(one.text)
      }
      assert.ok(pages.room * 0.9 <= used + pageBytes * 2, `${pages.room} for ${used}`)
    }
    assert.ok(all.length > steps / 40)
    for (const one of all) assert.equal(textOf(one), one.text)
  }

  test('are overwritten when they go, and are nowhere from then on', () => {
    const { pages, put, take } = pagesFor(100_000)
    const one = put('a guest')
    const bytes = pages.pageOf(one.row)
    assert.ok(bytes.includes('guest'))
    take(one)
    assert.ok(!bytes.includes('guest'))
    assert.throws(() => pages.pageOf(one.row), /no bytes/)
  })
})
