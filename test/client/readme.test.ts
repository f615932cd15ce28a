import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Atrium } from '../../client/src/index.ts'
import { serve } from '../harness/command.ts'
import { letter } from './post-room.ts'
import { programsIn } from './shown.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'atrium-readme-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const examples = programsIn('client/README.md')
assert.equal(examples.length, 7)
/** Each of the first six examples continues the previous one. */
const calls = examples.slice(0, 6).join('\n')
const worker = examples[6] ?? ''

test('the examples of the README work when copied', async () => {
  const serving = await serve({ ATRIUM_DATABASE: `sqlite:${join(folder, 'atrium.db')}` }, '--demo')
  const token = /^ {2}vesta-tv .* (atr_\w+)$/m.exec(serving.printed())?.[1] ?? ''
  const file = join(folder, 'calls.ts')
  writeFileSync(file, calls.replace('https://atrium.example', serving.url).replace('atr_…', token))
  const child = spawn(process.execPath, [file])
  try {
    const { stdout, stderr } = printedBy(child)
    const { rooms } = new Atrium({ baseUrl: serving.url, token })
    // The test cannot observe when the client starts to follow events.
    while (!stdout().includes('area.opened') && child.exitCode === null) {
      await rooms.open('annecy-01-B-204')
      await sleep(100)
    }
    assert.equal(stderr(), '')
    assert.match(stdout(), /^Vesta Bedside TV may see annecy-01\nannecy-01 .* active\n/)
    assert.match(stdout(), /^403 not_granted .*\nself area\.opened annecy-01-B-204 [\w-]+\n/m)
  } finally {
    child.kill('SIGKILL')
    await serving.stop()
  }
})

test('the example worker accepts only signed messages, and the first ping before it knows the secret', async () => {
  const file = join(folder, 'worker.ts')
  writeFileSync(file, worker)
  const { body, headers, secret } = letter()
  const { default: receiver } = await import(file)
  const statusOf = async (text: string, WEBHOOK_SECRET?: string) => {
    const request = new Request('https://worker.example/atrium', { method: 'POST', headers, body: text })
    return (await receiver.fetch(request, { WEBHOOK_SECRET })).status
  }
  assert.deepEqual(
    [await statusOf(body, secret), await statusOf(`${body} `, secret), await statusOf(body)],
    [204, 401, 204],
  )
})

test('the examples type-check', () => {
  const programs = { calls, worker, receiver: programsIn('docs/guides/webhooks.md').join('\n') }
  const files = Object.entries(programs).map(([name, code]) => {
    const file = join(folder, `${name}.mts`)
    writeFileSync(file, code)
    return file
  })
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), '--lib', 'es2024,dom']
  const module = ['--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions']
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    ...module,
    ...types,
  ]
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...files], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
})

function printedBy({ stdout, stderr }: ChildProcess) {
  const all = { stdout: '', stderr: '' }
  stdout?.setEncoding('utf8').on('data', (text) => {
    all.stdout += text
  })
  stderr?.setEncoding('utf8').on('data', (text) => {
    all.stderr += text
  })
  return { stdout: () => all.stdout, stderr: () => all.stderr }
}
