import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { createServer as createEncrypted } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { DeliveryResult } from '../../src/domain/webhook/webhook.ts'
import { sender } from '../../src/webhooks/send.ts'
import { certificates } from '../harness/certificates.ts'
import { type Receiver, startReceiver } from '../harness/receiver.ts'

const loopback = ['127.0.0.0/8', '::1/128']
const message = (url: string) => ({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"n":1}' })
const refused = 'the address does not lead to the public Internet'

const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port

/** All known spellings of internal addresses; a server listens on `PORT`. */
const spellings = [
  ...['127.0.0.1', '127.0.0.2', '127.1', '127.0.1', '127.255.255.254', '0', '0.0.0.0', '0.0.0.1', '2130706433'],
  ...['0x7f000001', '0x7f.0.0.1', '0x7f.1', '0177.0.0.1', '0177.1', '017700000001', '0x7F.0x0.0x0.0x1', '127.0.0.1.'],
  ...['127。0。0。1', '①②⑦.⓪.⓪.①', '127%2e0%2e0%2e1', '%31%32%37.0.0.1', '127.0.0.01', '127.0.0.0x1', '2852039166'],
  ...['0xa9fea9fe', '169.254.169.254', '169.16689662', '0251.0376.0251.0376', '169.254.43518', '100.100.100.200'],
  ...['10.0.0.1', '10.1', '172.16.0.1', '172.31.255.254', '192.168.1.1', '192.168.257', '100.64.0.1', '198.18.0.1'],
  ...['192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
  ...['255.255.255.255', '168.63.129.16', 'localhost', 'LOCALHOST', 'localhost.', 'ⓛocalhost'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::127.0.0.1]'],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
  ],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2001:0:7f00:1::]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[100::1]'],
]

describe('sending to webhooks', () => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver[Symbol.asyncDispose]())

  const send = sender(loopback, 'Atrium-Webhooks/test')
  const sent = (path: string): Promise<DeliveryResult> => send(message(receiver.url + path), { timeoutMs: 2000 })
  const answering = (path: string, status: number, headers: Record<string, string> = {}, body = '') =>
    receiver.answers(path, (_, response) => void response.writeHead(status, headers).end(body))

  test('a message arrives unchanged, and names its sender', async () => {
    const { status, error } = await sent('/plain')
    assert.deepEqual([status, error], [204, null])
    const one = receiver.received.find(({ path }) => path === '/plain')
    assert.equal(one?.text, '{"n":1}')
    assert.equal(one?.headers['content-type'], 'application/json')
    assert.equal(one?.headers['user-agent'], 'Atrium-Webhooks/test')
    assert.equal(one?.headers['webhook-id'], 'msg_1')
  })

  test('a redirect is a failure and is not followed', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answering(`/redirect-${status}`, status, { location: `${receiver.url}/target` })
      assert.equal((await sent(`/redirect-${status}`)).error, `response status ${status}`)
    }
    assert.equal(receiver.received.filter(({ path }) => path === '/target').length, 0)
  })

  test('errors are reported in messages of our own', async () => {
    answering('/broken', 500, { 'retry-after': '7' }, 'canary of the receiver')
    const { status, error, retryAfterSeconds } = await sent('/broken')
    assert.deepEqual([status, error, retryAfterSeconds], [500, 'response status 500', 7])
    receiver.answers('/cut', (_, response) => void response.destroy())
    assert.equal((await sent('/cut')).error, 'the connection was cut')
    const gone = createSocketServer().listen(0, '127.0.0.1')
    await new Promise((done) => gone.once('listening', done))
    const port = portOf(gone)
    await new Promise((done) => gone.close(done))
    const receipt = await send(message(`http://127.0.0.1:${port}/`), { timeoutMs: 2000 })
    assert.deepEqual([receipt.status, receipt.error], [null, 'the connection was refused'])
  })

  test('a slow receiver times out, and a long response is cut', async () => {
    receiver.answers('/silent', () => {})
    const { status, error } = await send(message(`${receiver.url}/silent`), { timeoutMs: 100 })
    assert.deepEqual([status, error], [null, 'no response within 0.1 s'])
    const closed = new Promise((done) => {
      receiver.answers('/endless', (_, response) => {
        response.writeHead(200)
        const more = () => response.write('x'.repeat(16_384), () => setImmediate(more))
        response.on('close', done)
        more()
      })
    })
    assert.equal((await sent('/endless')).error, null)
    await closed
  })

  test('a receiver that upgrades the protocol is not waited for', async () => {
    const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
    const server = createSocketServer((socket) => void socket.on('error', () => {}).end(head))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const receipt = await send(message(`http://127.0.0.1:${portOf(server)}/`), { timeoutMs: 2000 })
    assert.deepEqual([receipt.status, receipt.error], [null, 'it could not be sent'])
    server.close()
  })

  test('a self-signed certificate is not trusted', async () => {
    const { certificate, key } = certificates.first
    const server = createEncrypted({ cert: certificate, key }, (_, response) => void response.end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const receipt = await send(message(`https://127.0.0.1:${portOf(server)}/`), { timeoutMs: 2000 })
    assert.equal(receipt.error, 'its certificate is not trusted')
    server.closeAllConnections()
    server.close()
  })
})

describe('webhooks reach no internal address', () => {
  let connections = 0
  const server = createServer((_, response) => void response.end()).on('connection', () => connections++)
  before(() => new Promise<void>((done) => server.listen(0, done)))
  after(() => server.close())

  test(`${spellings.length} spellings of internal addresses are refused`, async () => {
    const send = sender([], 'test')
    for (const host of spellings) {
      for (const protocol of ['http', 'https']) {
        const url = `${protocol}://${host}:${portOf(server)}/`
        const { status, error } = await send(message(url), { timeoutMs: 2000 })
        assert.deepEqual([status, error], [null, URL.canParse(url) ? refused : 'it could not be sent'], url)
      }
    }
    assert.equal(connections, 0)
  })

  test('a name that resolves alternately to public and internal addresses is never connected to the latter', async () => {
    let looks = 0
    const send = sender([], 'test', (_name, _options, callback) => {
      const inner = {
        address: ['127.0.0.1', '::1', '::ffff:127.0.0.1'][looks % 3] ?? '',
        family: looks % 3 === 0 ? 4 : 6,
      }
      const outer = { address: '192.0.1.1', family: 4 }
      const found = [[inner], [outer, inner], [outer]][looks++ % 3]
      setImmediate(() => callback(null, found ?? []))
    })
    const url = `https://rebinding.example:${portOf(server)}/`
    const receipts = await Promise.all(Array.from({ length: 1000 }, () => send(message(url), { timeoutMs: 500 })))
    assert.equal(connections, 0)
    assert.equal(looks, 1000, 'each is looked up once: what was judged is what is connected to')
    assert.ok(receipts.filter(({ error }) => error === refused).length >= 600)
  })

  test('an unknown name has the same message as a refused one', async () => {
    const send = sender(loopback, 'test', (_name, _options, callback) => setImmediate(() => callback(null, [])))
    const { error } = await send(message('https://empty.example/'), { timeoutMs: 2000 })
    assert.equal(error, refused)
  })

  test('only allowed ranges are reachable, and only they without encryption', async () => {
    const send = sender(['127.0.0.1/32'], 'test')
    const to = async (host: string) =>
      (await send(message(`http://${host}:${portOf(server)}/`), { timeoutMs: 10_000 })).error
    assert.equal(await to('127.0.0.1'), null)
    assert.equal(await to('127.0.0.2'), refused)
    assert.equal(await to('[::1]'), refused)
    assert.equal(await to('192.0.1.1'), refused)
  })
})
