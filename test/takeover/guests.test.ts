import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onEachEngine, startAtrium } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { freshDatabase } from '../harness/databases.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-guests-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string) => join(folder, name)
const args = (url: string, ...more: string[]) => [
  ...['pull', '--base-url', url, '--token', '-', '--rate', '1000', '--state', file('guests.state')],
  ...more,
]

onEachEngine('atrium pull --guests', {}, (atrium) => {
  test('writes a backup with open rooms and services, from which partners get the same responses', async () => {
    const { everything, ward } = atrium().tokens
    const body = { value: JSON.stringify([{ code: 'tv', end: '2099-01-01', box: 4 }]) }
    for (const [request, sent] of [
      ['POST /v1/areas/chu-nord-214/'],
      ['POST /v1/areas/chu-nord-214/data_services', body],
      ['POST /v1/areas/lyon-01-2/'],
    ] as const) {
      assert.equal((await atrium().ask(request, { as: 'everything', body: sent })).status, 200)
    }
    const guests = file(`guests-${atrium().engine}.gz`)
    const more = ['--guests', guests, '--timezone', 'Europe/Paris']
    const pulled = await run(`${everything}\n${ward}\n`, {}, ...args(atrium().url, ...more))
    assert.equal(pulled.code, 0, pulled.stderr)
    const again = await run(`${everything}\n`, {}, ...args(atrium().url, ...more))
    assert.match(again.stderr, /exists already: choose another name/)
    const fresh = await freshDatabase(atrium().engine)
    const settings = { ATRIUM_DATABASE: fresh.url }
    try {
      const restored = await command(settings, 'restore', guests)
      assert.equal(restored.code, 0, restored.stderr)
      const issued = await command(settings, 'token', 'create', 'ward', '--name', 'x', '--json')
      const other = await startAtrium(atrium().engine, { database: fresh })
      const urls = ['--a', atrium().url, '--b', other.url]
      const compared = await run(`${ward} ${JSON.parse(issued.stdout).token}\n`, {}, 'compare', ...urls, '--rooms')
      await other.stop()
      assert.equal(compared.code, 0, compared.stdout + compared.stderr)
    } finally {
      await fresh.drop()
    }
  })
})
