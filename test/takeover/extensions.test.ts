import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { oldViews, startPlain } from './plain-installation.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-extensions-'))
after(() => rmSync(folder, { recursive: true }))

onEachEngine('an installation that responds to routes it does not have', {}, (atrium) => {
  for (const status of [400, 401, 403, 405]) {
    test(`with ${status}`, async () => {
      const old = await startPlain(oldViews, ({ url }, response) => {
        const isUnknown = /^\/v1\/(me|events)/.test(url ?? '')
        if (isUnknown) response.writeHead(status).end()
        return isUnknown
      })
      const from = (name: string) => [name, '--token', '-', '--rate', '1000']
      const state = join(folder, 'state')
      const pulled = await run('secret-one\n', {}, ...from('pull'), '--base-url', old.url, '--state', state)
      const settings = { ATRIUM_DATABASE: atrium().databaseUrl }
      const mirrored = await run('secret-one\n', settings, ...from('mirror'), '--from', old.url, '--once')
      const other = await startPlain({ 'secret-one': { ...oldViews['secret-one'], '/v1/me': {} } })
      const compared = await run('secret-one\n', {}, 'compare', '--a', old.url, '--b', other.url, '--rate', '1000')
      for (const one of [old, other]) one.close()
      assert.deepEqual([pulled.code, mirrored.code, compared.code], [0, 0, 0], mirrored.stderr + compared.stdout)
      assert.match(pulled.stderr, /partners and grants, which this installation does not show/)
    })
  }
})
