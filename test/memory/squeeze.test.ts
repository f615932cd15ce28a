import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as examples from '../../src/http/partner/examples.ts'
import { overwrite, squeeze, squeezedAtMost, stretch } from '../../src/storage/memory/squeeze.ts'
import { typicalText } from '../../src/storage/memory/typical-text.ts'

/** How many bytes it takes; nothing where it is not worth it. What was squeezed is what it was. */
function squeezedTo(body: Uint8Array): number | undefined {
  const squeezed = squeeze(body)
  if (squeezed === undefined) return undefined
  // In a page others stand before and behind it.
  const page = Buffer.concat([randomBytes(7), squeezed, randomBytes(7)])
  assert.ok(Buffer.from(body).equals(stretch(page, 7, 7 + squeezed.length)))
  return squeezed.length
}

const noise = (bytes: number) => randomBytes(bytes)

describe('a body in fewer bytes', () => {
  test('is the same again, whatever was said twice in it and how far apart', () => {
    const piece = fc.uint8Array({ minLength: 1, maxLength: 400 })
    const pieces = fc.array(piece, { minLength: 1, maxLength: 12 }).chain((all) => {
      return fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 60 }).map((some) => Buffer.concat(some))
    })
    fc.assert(
      fc.property(pieces, (body) => {
        const bytes = squeezedTo(body)
        assert.ok(bytes === undefined || bytes <= body.length * 0.6)
      }),
      { numRuns: 500 },
    )
  })

  test('is the same again at the edges of its counts', () => {
    for (const given of [0, 1, 14, 15, 16, 142, 143, 144, 16_398, 16_399, 16_400]) {
      for (const repeated of [4, 17, 18, 19, 144, 145, 146, 147, 16_401, 16_402, 16_403]) {
        const [start, between] = [noise(repeated), noise(given)]
        const body = Buffer.concat([start, between, start, Buffer.alloc(Math.max(200, given * 2 + repeated * 2), 'x')])
        if (body.length <= squeezedAtMost) assert.ok((squeezedTo(body) ?? 0) > 0, `${given} and ${repeated}`)
      }
    }
  })

  test('that says the same all along is a few bytes, up to the longest', () => {
    assert.ok((squeezedTo(Buffer.alloc(squeezedAtMost, 'x')) ?? 100) < 20)
    assert.equal(squeeze(Buffer.alloc(squeezedAtMost + 1, 'x')), undefined)
  })

  test('is not made of what is short, or says nothing twice', () => {
    assert.equal(squeeze(Buffer.alloc(199, 'x')), undefined)
    assert.ok((squeezedTo(Buffer.alloc(200, 'x')) ?? 100) < 20)
    for (const bytes of [200, 5000, squeezedAtMost]) assert.equal(squeeze(noise(bytes)), undefined)
  })

  test('is small for what is answered, also where nothing is said twice in it', () => {
    const facility = Buffer.from(JSON.stringify(examples.facility))
    assert.ok((squeezedTo(facility) ?? Infinity) < facility.length * 0.5)
    const known = JSON.stringify([examples.facility, examples.list, { ...examples.area, data_general: [] }])
    const unknown = (known.match(/"\w+":/g) ?? []).filter((key) => !typicalText.includes(key))
    assert.deepEqual(unknown, [])
  })

  test('leaves nothing behind where it was made and read, once that is overwritten', () => {
    for (const body of [Buffer.alloc(squeezedAtMost, 'secret '), Buffer.alloc(300, 'guest ')]) {
      const squeezed = squeeze(body) as Buffer
      const stretched = stretch(Buffer.from(squeezed), 0, squeezed.length)
      assert.ok(stretched.equals(body))
      overwrite()
      assert.ok([squeezed, stretched].every((place) => place.every((byte) => byte === 0)))
    }
    assert.equal(squeezedTo(Buffer.alloc(5000, 'once more ')), squeezedTo(Buffer.alloc(5000, 'once more ')))
  })

  test('knows nothing of the bodies before it, however many there were', () => {
    const bodies = Array.from({ length: 8 }, () => Buffer.from(noise(40).toString('hex').repeat(700)))
    for (let turn = 0; turn < 100; turn++) for (const body of bodies) assert.ok((squeezedTo(body) ?? Infinity) < 200)
  })
})
