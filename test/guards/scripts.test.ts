import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const requirements = 'tools/requirements.mjs'

test('every script that runs TypeScript first says what is missing, such as Node 24', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const running = Object.entries(scripts).filter(([, script]) => /\bnode .*\.ts\b/.test(script))
  assert.ok(running.length > 0)
  const bare = running.filter(([, script]) => !script.startsWith(`node --import ./${requirements} `))
  assert.deepEqual(bare, [])
})

test('a clone without packages is refused with one line that says what to do', () => {
  const clone = mkdtempSync(join(tmpdir(), 'atrium-clone-'))
  cpSync(join(root, requirements), join(clone, requirements), { recursive: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(clone, requirements)], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^the packages are not installed: run `npm ci`[^\n]*\n$/)
})
