import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { oldViews, startPlain } from './plain-installation.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-seen-'))
after(() => rmSync(folder, { recursive: true }))

const path = '/v1/facilities/old-01/'

describe('the response of a facility', () => {
  const pull = (tokens: string, url: string) => {
    const state = join(folder, 'pull.state')
    return run(tokens, {}, 'pull', '--base-url', url, '--token', '-', '--rate', '1000', '--state', state, '--json')
  }

  test('counts where the list of facilities is older, also when a pull continues', async () => {
    let isBroken = true
    const old = await startPlain(oldViews, ({ url }, response) => {
      if (url !== path) return false
      const body = { id_external: 'old-01', name: 'New House', status: 'closed' }
      response.writeHead(isBroken ? 418 : 200).end(JSON.stringify(body))
      return true
    })
    const first = await pull('secret-one\n', old.url)
    assert.deepEqual([first.code, first.stdout], [1, ''], first.stderr)
    isBroken = false
    const again = await pull('secret-one\n', old.url)
    old.close()
    const [{ id, name, status }] = JSON.parse(again.stdout).facilities
    assert.deepEqual([id, name, status], [7, 'New House', 'closed'])
    assert.doesNotMatch(again.stderr, /changed while it was read/)
  })

  test('that differs for another token means that the facility changed in between', async () => {
    const old = await startPlain(oldViews, ({ url, headers }, response) => {
      if (url === path) response.end(JSON.stringify({ id_external: 'old-01', name: headers.authorization }))
      return url === path
    })
    const { stdout, stderr } = await pull('secret-one\nsecret-two\n', old.url)
    old.close()
    assert.equal(JSON.parse(stdout).facilities[0].name, 'Bearer secret-one')
    assert.match(stderr, /changed while it was read: the field name of facilities \(1, old-01\)/)
  })
})
