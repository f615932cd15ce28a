import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { engines, freshDatabase } from '../harness/databases.ts'
import { type Playground, playground, playgroundWith } from './fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-sandbox-'))
after(() => rmSync(folder, { recursive: true, force: true }))

for (const [at, engine] of engines.entries()) {
  const other = engines[1 - at] ?? engine
  describe(`a sandbox in a backup (${engine} to ${other})`, () => {
    const file = join(folder, `${engine}.gz`)
    let play: Playground
    before(async () => {
      const atrium = await startAtrium(engine)
      try {
        play = await playground(atrium, 'everything', ['lyon-01'])
        await play.done(`PATCH /v1/facilities/${play.copy('lyon-01')}/name`, { value: 'Broken' })
        await play.done('POST /v1/sandbox/clock', { advance: 'P1D' })
        const made = await command({ ATRIUM_DATABASE: atrium.databaseUrl }, 'backup', file)
        assert.equal(made.code, 0, made.stderr)
      } finally {
        await atrium.stop()
      }
    })

    test('is restored with its clock, its initial state and its tokens, and the audit log verifies', async () => {
      const database = await freshDatabase(other)
      const settings = { ATRIUM_DATABASE: database.url }
      const restored = await command(settings, 'restore', file)
      assert.equal(restored.code, 0, restored.stderr)
      const atrium = await startAtrium(other, { database, estate: { partners: [] } })
      try {
        const again = playgroundWith(atrium, play.id, play.token)
        const { clock, facilities } = await again.done('GET /v1/sandbox')
        assert.deepEqual([clock.ahead_seconds, facilities[0].name], [86_400, 'Broken'])
        const reset = await again.done('POST /v1/sandbox/reset')
        assert.deepEqual([reset.clock.ahead_seconds, reset.facilities[0].name], [0, 'Hôtel Bellecour'])
        for (const step of ['seal', 'verify']) assert.equal((await command(settings, 'audit', step)).code, 0, step)
      } finally {
        await atrium.stop()
        await database.drop()
      }
    })
  })
}
