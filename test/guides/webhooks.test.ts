import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { letter } from '../client/post-room.ts'
import { programsIn } from '../client/shown.ts'
import { command, type Serving, serve } from '../harness/command.ts'
import { assertAnswer, examplesOf, guideText } from './example.ts'
import { paste } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-webhooks-guide-'))
const settings = { ATRIUM_DATABASE: `sqlite:${join(folder, 'demo.db')}` }
let atrium: Serving
let receiver: ChildProcess | undefined
let address: { port: number; url: string }

before(async () => {
  atrium = await serve(settings, '--demo')
  address = await freeAddress()
})
after(async () => {
  receiver?.kill('SIGKILL')
  await atrium?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the documented receiver accepts the ping, and then only messages of Atrium', async () => {
  await startReceiver({})
  const secret = await addWebhook()
  receiver?.kill('SIGKILL')
  const printed = await startReceiver({ WEBHOOK_SECRET: secret })
  await apply({ facilities: [{ id_external: 'annecy-01', name: 'Another name' }] })
  while (!/ facility\.updated .*new: 'Another name'/s.test(printed()) && receiver?.exitCode === null) await sleep(10)
  assert.match(printed(), / facility\.updated .*new: 'Another name'/s)
  const { body, headers } = letter()
  const answer = await fetch(address.url, { method: 'POST', headers, body })
  assert.deepEqual([answer.status, /signature/.test(await answer.text())], [401, true])
  assert.doesNotMatch(printed(), /area\.opened/)
})

async function apply(estate: object): Promise<void> {
  const file = join(folder, 'part.json')
  writeFileSync(file, JSON.stringify(estate))
  const { code, stderr } = await command(settings, 'apply', file)
  assert.equal(code, 0, stderr)
}

async function startReceiver(env: Record<string, string>): Promise<() => string> {
  const [program = ''] = programsIn('docs/guides/webhooks.md')
  const file = join(folder, 'receiver.ts')
  writeFileSync(file, program.replace('8090', String(address.port)))
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } })
  receiver = child
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      text += piece
    })
  }
  while (child.exitCode === null && !(await answers(address.port))) await sleep(10)
  assert.equal(child.exitCode, null, text)
  return () => text
}

/** Sends the request of the guide to another address, and returns the secret. */
async function addWebhook(): Promise<string> {
  const token = /^ {2}vesta-tv .* (atr_\w+)$/m.exec(atrium.printed())?.[1] ?? ''
  const examples = examplesOf(guideText('webhooks').replaceAll('https://receiver.example/atrium', address.url))
  const outputs = await paste(examples, folder, { ATRIUM: atrium.url, TOKEN: token })
  assert.equal(outputs.length, 1)
  for (const [at, example] of examples.entries()) assertAnswer(example, outputs[at] ?? '')
  return JSON.parse(outputs[0] ?? '').secret
}

async function freeAddress() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return { port, url: `http://127.0.0.1:${port}/atrium` }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('close', () => socket.destroy()).on('connect', () => socket.end())
  })
}
