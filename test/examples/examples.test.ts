import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../src/domain/webhook/webhook-signature.ts'
import { command, type Serving, serve } from '../harness/command.ts'
import { languages } from './languages.ts'
import { startUnreliableProxy } from './unreliable-proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-examples-'))
const settings = { ATRIUM_DATABASE: `sqlite:${join(folder, 'demo.db')}` }
/** Its id needs encoding in a path, and is encoded otherwise in a form. */
const room = { id: 'Bloc été 1+2', name: 'Bloc été 1+2' }
const roomId = `annecy-01-${room.id}`
// Java and Mono read the arguments in the encoding of the locale.
const environment = { ...process.env, LC_ALL: 'C.UTF-8', TMPDIR: folder }
let atrium: Serving

before(async () => {
  atrium = await serve(settings, '--demo')
  writeFileSync(
    join(folder, 'room.json'),
    JSON.stringify({ facilities: [{ id_external: 'annecy-01', areas: [room] }] }),
  )
  const { code, stderr } = await command(settings, 'apply', join(folder, 'room.json'))
  assert.equal(code, 0, stderr)
})
after(async () => {
  await atrium?.stop()
  rmSync(folder, { recursive: true, force: true })
})

for (const { name, prepare } of languages) {
  describe(`the example in ${name}`, () => {
    let lines: ReturnType<typeof prepare>
    before(() => {
      lines = prepare(mkdtempSync(join(folder, 'compiled-')))
    })

    test('carries out a stay once, though the response to each first attempt is lost', async () => {
      const proxy = await startUnreliableProxy(atrium.url)
      const begin = await newestEvent()
      const [program = '', ...args] = lines.stay
      const env = { ...environment, ATRIUM: proxy.url, TOKEN: token() }
      const { stdout } = await promisify(execFile)(program, [...args, 'annecy-01', roomId], { env }).finally(
        proxy.close,
      )
      assert.deepEqual(stdout.trim().split('\n'), [
        '36 rooms',
        `${roomId} is open`,
        'Télévision until 2099-11-22T23:00:00.000Z',
        'Télévision until 2099-11-24T23:00:00.000Z',
        `${roomId} is closed`,
      ])
      const events = await eventsAfter(begin)
      assert.deepEqual(
        events.map(({ type }) => type),
        ['area.opened', 'services.added', 'service.changed', 'area.closed'],
      )
      const refused = proxy.forwarded.flatMap(({ retryAfter }) => retryAfter ?? [])
      assert.equal(refused.at(-1), '1')
      // The first is sent at once; a second may be early, by a clock that is a little ahead.
      assert.ok(refused.length <= 3, `the date in Retry-After was ignored: ${refused}`)
      const posts = proxy.forwarded.filter(({ method }) => method === 'POST')
      for (const path of new Set(posts.map((one) => one.path))) {
        const [first, second] = posts.filter((one) => one.path === path)
        assert.equal(decodeURIComponent(path).startsWith(`/v1/areas/${roomId}/`), true, path)
        assert.match(String(first?.headers['idempotency-key']), /^[\w-]{32,36}$/)
        assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key'])
        assert.equal(second?.body, first?.body)
        assert.deepEqual([first?.replayed, second?.replayed], [false, true])
      }
      assert.equal(posts.length, 4)
    })

    test('receives what Atrium signed, once, and refuses everything else', async () => {
      const port = await freePort()
      const first = await startReceiver(lines.webhook(port), port, '')
      const { webhook, secret } = await addWebhook(port)
      await stop(first.child)
      const { child, printed } = await startReceiver(lines.webhook(port), port, secret)
      try {
        await ask('POST', `/v1/areas/${encodeURIComponent(roomId)}/`)
        while (!printed().includes(`area.opened ${roomId}`)) await sleep(10)
        const before = printed()
        for (const [what, headers, body] of forged(secret)) {
          assert.equal(await deliver(port, headers, body), 401, what)
        }
        assert.equal(printed(), before)
        const [headers, body] = message(secret, 'facility.updated')
        const rotated = `${message(newWebhookSecret(), '')[0]['webhook-signature']} ${headers['webhook-signature']}`
        assert.equal(await deliver(port, { ...headers, 'webhook-signature': rotated }, body), 204)
        assert.equal(await deliver(port, headers, body), 204)
        assert.equal(printed(), `${before}facility.updated -\n`)
        await ask('DELETE', `/v1/webhooks/${webhook.id}`)
      } finally {
        await stop(child)
      }
    })
  })
}

type Message = [headers: Record<string, string>, body: string]

function message(secret: string, type: string, at = new Date(), id = 'msg_1'): Message {
  const body = JSON.stringify({ id: 'e1', type, data: { old: 'Hôpital', new: 'Clinique' } })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  return [headers, body]
}

function forged(secret: string): [what: string, ...Message][] {
  const [headers, body] = message(secret, 'area.opened')
  const { 'webhook-signature': signature = '', ...unsigned } = headers
  const aged = (ms: number) => message(secret, 'area.opened', new Date(Date.now() + ms))
  return [
    ['another secret', ...message(newWebhookSecret(), 'area.opened')],
    ['another body', headers, body.replace('Clinique', 'Autre')],
    ['another id', { ...headers, 'webhook-id': 'msg_2' }, body],
    ['another time', { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, body],
    ['an old message', ...aged(-600_000)],
    ['a message from the future', ...aged(600_000)],
    ['no signature', unsigned, body],
    ['an empty signature', { ...unsigned, 'webhook-signature': 'v1,' }, body],
    ['the beginning of the signature', { ...unsigned, 'webhook-signature': signature.slice(0, 20) }, body],
    ['no header at all', { 'content-type': 'application/json' }, body],
    ['a time that is no number', { ...headers, 'webhook-timestamp': 'now' }, body],
  ]
}

async function deliver(port: number, headers: Record<string, string>, body: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

async function startReceiver([program = '', ...args]: string[], port: number, secret: string) {
  const child = spawn(program, args, { env: { ...environment, PORT: String(port), WEBHOOK_SECRET: secret } })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    output += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    errors += piece
  })
  while (child.exitCode === null && !(await answers(port))) await sleep(20)
  assert.equal(child.exitCode, null, errors)
  return { child, printed: () => output }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done()).kill('SIGKILL')
  })
}

const token = () => /^ {2}vesta-tv .* (atr_\w+)$/m.exec(atrium.printed())?.[1] ?? ''

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token()}`, 'content-type': 'application/json' }
  const response = await fetch(atrium.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = await response.json()
  assert.equal(response.status, 200, JSON.stringify(answer))
  return answer as T
}

async function newestEvent(): Promise<string> {
  return (await ask<{ next: string }>('GET', '/v1/events')).next
}

async function eventsAfter(cursor: string): Promise<{ type: string }[]> {
  return (await ask<{ data: { type: string }[] }>('GET', `/v1/events?after=${cursor}`)).data
}

async function addWebhook(port: number): Promise<{ webhook: { id: string }; secret: string }> {
  return ask('POST', '/v1/webhooks', { url: `http://127.0.0.1:${port}/`, types: ['area.opened'], own: true })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.end()).on('close', () => socket.destroy())
  })
}
