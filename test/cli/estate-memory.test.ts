import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { atrium } from '../harness/command.ts'
import { engines, freshDatabase } from '../harness/databases.ts'

const facilities = 700
const areas = 200

/** Half of this is what the program itself needs; the estate, parsed, would take ten times as much. */
const heapMb = 28

function* estate(): Generator<string> {
  yield 'facilities:\n'
  for (let facility = 0; facility < facilities; facility++) {
    yield `  - id_external: a-facility-with-quite-a-long-identifier-${facility}\n    name: Hôtel n° ${facility}\n    areas:\n`
    for (let area = 0; area < areas; area++) yield `      - {id: "${area}", name: Room ${area}, data_general: []}\n`
    yield '    areas_autocomplete_list:\n'
    for (let area = 0; area < areas; area++) yield `      - {id: "${area}", name: Room ${area}}\n`
  }
}

describe('memory does not grow with the estate', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-estate-'))
    await pipeline(Readable.from(estate()), createWriteStream(join(folder, 'estate.yaml')))
  })
  after(() => rm(folder, { recursive: true }))

  for (const engine of engines) {
    it(`applies and exports within ${heapMb} MB of heap on ${engine}`, async () => {
      const database = await freshDatabase(engine)
      try {
        const limits = { NODE_OPTIONS: `--max-old-space-size=${heapMb} --max-semi-space-size=1` }
        const run = (...args: string[]) => atrium({ ATRIUM_DATABASE: database.url, ...limits }, ...args)
        const applied = await run('apply', join(folder, 'estate.yaml'), '--json')
        assert.equal(applied.code, 0, applied.stderr)
        assert.equal(JSON.parse(applied.stdout).changes.areas.created, facilities * areas)
        const exported = await run('export', '--json', '--output', join(folder, 'estate.json'))
        assert.equal(exported.code, 0, exported.stderr)
        const again = await run('apply', join(folder, 'estate.json'), '--prune', '--json')
        assert.equal(again.code, 0, again.stderr)
        assert.equal(JSON.parse(again.stdout).changes.areas.unchanged, facilities * areas)
      } finally {
        await database.drop()
      }
    })
  }
})
