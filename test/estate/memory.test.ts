import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { faultList } from '../../src/domain/estate.ts'
import { readEstate } from '../../src/estate/read.ts'
import { limits } from './reading.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const facilities = 400
const areas = Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, name: `Room ${index}` }))
const id = (index: number) => `a-facility-with-quite-a-long-identifier-${index}`

const formats: Record<string, { before: string; item(index: number): string; after: string }> = {
  YAML: {
    before: 'facilities:\n',
    item: (index) =>
      `  - id_external: ${id(index)}\n    areas:\n${areas.map((area) => `      - {id: "${area.id}", name: ${area.name}}\n`).join('')}`,
    after: '',
  },
  JSON: {
    before: '{"facilities": [',
    item: (index) => (index === 0 ? '' : ',') + JSON.stringify({ id_external: id(index), areas }),
    after: ']}',
  },
}

describe('the memory used does not grow with the file', () => {
  for (const [name, { before, item, after }] of Object.entries(formats)) {
    it(name, async () => {
      const held: number[] = []
      const bytes = facilities * item(1).length
      function* chunks() {
        yield before
        for (let index = 0; index < facilities; index++) yield item(index)
        yield after
      }
      let count = 0
      const sink = {
        add: () => {
          if (++count % (facilities / 4) === 0) held.push(heldBytes())
        },
        clear: () => {},
      }
      await readEstate({ bytes, chunks, close: () => {} }, { limits, progress: () => {} }, sink, faultList())
      assert.equal(count, facilities)
      const [first = 0, , , last = 0] = held
      const grown = last - first
      assert.ok(grown < bytes / 10, `${grown} bytes more are held after reading ${bytes}`)
    })
  }
})
