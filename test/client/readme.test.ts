import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { serve } from '../harness/command.ts'

const client = join(import.meta.dirname, '../../client')

test('what the README shows works when it is copied', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-readme-'))
  const serving = await serve({ ATRIUM_DATABASE: `sqlite:${join(folder, 'atrium.db')}` }, '--demo')
  try {
    const token = /^ {2}vesta-tv .* (atr_\w+)$/m.exec(serving.printed())?.[1] ?? ''
    const shown = readFileSync(join(client, 'README.md'), 'utf8')
    const examples = Array.from(shown.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code)
    assert.equal(examples.length, 3)
    const program = examples
      .join('\n')
      .replaceAll("'@atrium/client'", JSON.stringify(join(client, 'src/index.ts')))
      .replace('https://atrium.example', serving.url)
      .replace('atr_…', token)
    const file = join(folder, 'examples.ts')
    writeFileSync(file, program)
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file])
    assert.equal(stderr, '')
    assert.match(stdout, /^Vesta Bedside TV may see annecy-01\nannecy-01 .* active\n/)
    assert.match(stdout, /403 not_granted /)
  } finally {
    await serving.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
