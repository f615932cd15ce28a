import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { connections, request, until } from '../harness/workers.ts'

const launcher = join(import.meta.dirname, '../../bin/atrium.mjs')

describe('atrium serve --workers 2 with its log in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-log-'))
  const file = join(folder, 'log')
  const log = () => readFileSync(file, 'utf8')
  const output = openSync(file, 'w')
  const settings = {
    ATRIUM_DATABASE: `sqlite:${join(folder, 'atrium.db')}`,
    ATRIUM_PORT: '0',
    ATRIUM_RATE_LIMIT: 'off',
  }
  const child = spawn(process.execPath, [launcher, 'serve', '--workers', '2'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', output, output],
  })
  let url = ''
  before(async () => {
    url = await until('it is ready', async () => /atrium ready on (http[^\s"]+)/.exec(log())?.[1])
  })
  after(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    closeSync(output)
    rmSync(folder, { recursive: true })
  })

  it('keeps every line of both workers intact', async () => {
    const all = await connections(8, url)
    const many = all.map(async (one, at) => {
      for (let n = 0; n < 150; n++) {
        const { head } = request('GET /v1/me', '')
        one.send(head.replace('\r\n\r\n', `\r\nX-Request-Id: whole-${'x'.repeat(110)}-${at}-${n}\r\n\r\n`))
        await one.answer()
      }
    })
    await Promise.all(many)
    const lines = await until('every line', async () => {
      const found = log().match(/^.*whole-.*\n/gm) ?? []
      return found.length === 8 * 150 && found
    })
    const ids = lines.map((line) => JSON.parse(line).request_id)
    assert.equal(new Set(ids).size, 8 * 150)
    for (const one of all) one.close()
  })
})
