import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { readConfig } from '../../src/config.ts'
import type { Resolve } from '../../src/webhooks/address.ts'
import type { OutboundProxy } from '../../src/webhooks/proxy.ts'
import { sender } from '../../src/webhooks/send.ts'
import { certificates } from '../harness/certificates.ts'
import { ConnectProxy } from '../harness/connect-proxy.ts'
import { startReceiver } from '../harness/receiver.ts'

const refused = 'the address does not lead to the public Internet'
const failed = 'the outbound proxy made no connection'
const message = (url: string) => ({ url, headers: {}, body: '{"n":1}' })

/** Resolves these names and no others. */
function names(known: Record<string, string[]>): Resolve {
  return (hostname, _options, callback) => {
    const found = known[hostname]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    setImmediate(() => (found ? callback(null, found) : callback(unknown, [])))
  }
}

const resolve = names({
  'hooks.example': ['2606:4700::1', '192.0.1.1'],
  'local.example': ['127.0.0.1'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['192.0.1.1', '10.0.0.7'],
  localhost: ['127.0.0.1'],
})

describe('webhooks through an outbound proxy', () => {
  const received: string[] = []
  const trusted = getCACertificates('default')
  const receiver = createServer({ cert: certificates.first.certificate, key: certificates.first.key })
  receiver.on('request', async (request, response) => {
    received.push(await text(request))
    response.writeHead(204).end()
  })
  const port = () => (receiver.address() as AddressInfo).port
  const proxy = new ConnectProxy(port)

  before(async () => {
    setDefaultCACertificates([...trusted, certificates.first.certificate])
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    await proxy.start()
  })
  after(async () => {
    setDefaultCACertificates(trusted)
    receiver.closeAllConnections()
    receiver.close()
    await proxy[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    proxy.status = 200
    proxy.asked.length = 0
    received.length = 0
  })

  const send = (url: string, more: Partial<OutboundProxy> & { ranges?: string[]; withinMs?: number } = {}) => {
    const { ranges = [], withinMs = 10_000, ...rest } = more
    const by: OutboundProxy = {
      url: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
      exceptions: [],
      target: 'address',
      ...rest,
    }
    return sender(ranges, 'test', resolve, by)(message(url), { timeoutMs: withinMs })
  }

  test('arrive, encrypted from end to end', async () => {
    const { status, error } = await send(`https://127.0.0.1:${port()}/`, { ranges: ['127.0.0.1/32'] })
    assert.deepEqual([status, error, received], [204, null, ['{"n":1}']])
    assert.deepEqual(proxy.asked, [`127.0.0.1:${port()}`])
    const credentials = Buffer.from('me:p@ss').toString('base64')
    assert.equal(proxy.headers.at(-1)?.['proxy-authorization'], `Basic ${credentials}`)
  })

  test('go to the very address that was checked, under the certificate of the name', async () => {
    const { error } = await send('https://hooks.example/')
    assert.deepEqual([error, proxy.asked], ['its certificate is for another name', ['192.0.1.1:443']])
    await send('https://[2606:4700::1]:8443/')
    assert.equal(proxy.asked[1], '[2606:4700::1]:8443')
  })

  for (const target of ['address', 'name'] as const) {
    test(`never reach internal addresses, also where the proxy is given the ${target}`, async () => {
      const hosts = ['127.0.0.1', '2130706433', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254', '10.1', 'localhost']
      for (const host of [
        ...hosts,
        'inside.example',
        'both.example',
        'printer.local',
        'db',
        'db.internal',
        'a.localhost.',
      ]) {
        const { status, error } = await send(`https://${host}:${port()}/`, { target })
        assert.deepEqual([status, error], [null, refused], host)
      }
      assert.deepEqual(proxy.asked, [])
    })
  }

  test('reach names that only the proxy resolves if the operator allows it', async () => {
    assert.equal((await send('https://only-the-proxy.example/')).error, refused)
    assert.deepEqual(proxy.asked, [])
    await send('https://only-the-proxy.example/', { target: 'name' })
    await send('https://hooks.example:8443/', { target: 'name' })
    assert.deepEqual(proxy.asked, ['only-the-proxy.example:443', 'hooks.example:8443'])
  })

  const exceptions: [string, boolean][] = [
    ['*', true],
    ['local.example', true],
    ['example', true],
    ['.example', true],
    ['LOCAL.example', true],
    ['127.0.0.0/8', true],
    ['127.0.0.1', true],
    ['cal.example', false],
    ['hooks.example', false],
    ['10.0.0.0/8', false],
    ['local.example:1', false],
  ]
  for (const [exception, isDirect] of exceptions) {
    test(`NO_PROXY=${exception} ${isDirect ? 'avoids the proxy' : 'does not'}`, async () => {
      const ranges = ['127.0.0.1/32']
      await send(`https://local.example:${port()}/`, { exceptions: [exception], ranges })
      assert.deepEqual(proxy.asked, isDirect ? [] : [`127.0.0.1:${port()}`])
    })
  }

  test('that cannot connect fail with the same message, whatever the response of the proxy', async () => {
    for (const status of [403, 407, 502, 301]) {
      proxy.status = status
      assert.equal((await send('https://hooks.example/')).error, failed)
    }
    assert.equal((await send('https://hooks.example/', { url: 'http://127.0.0.1:1' })).error, failed)
    assert.equal((await send('https://hooks.example/', { url: `https://127.0.0.1:${proxy.port}` })).error, failed)
  })

  test('time out while a proxy or a name does not respond', async () => {
    proxy.status = 0
    assert.equal((await send('https://hooks.example/', { withinMs: 200 })).error, 'no response within 0.2 s')
    const slow = sender([], 'test', () => {}, { url: `http://127.0.0.1:${proxy.port}`, exceptions: [], target: 'name' })
    assert.equal((await slow(message('https://hooks.example/'), { timeoutMs: 50 })).error, 'no response within 0.05 s')
  })

  test('without encryption reach allowed ranges only, and bypass the proxy', async () => {
    await using plain = await startReceiver()
    assert.equal((await send(`${plain.url}/`, { ranges: ['127.0.0.1/32'] })).error, null)
    assert.equal((await send('http://hooks.example/')).error, refused)
    assert.deepEqual(proxy.asked, [])
  })
})

describe('the settings of an outbound proxy', () => {
  test('are the usual environment variables', () => {
    assert.equal(readConfig({ NO_PROXY: 'a' }).proxy, null)
    const url = 'http://me:x@proxy.example:3128'
    assert.deepEqual(readConfig({ HTTPS_PROXY: url, NO_PROXY: 'a, .b 10.0.0.0/8' }).proxy, {
      url,
      exceptions: ['a', '.b', '10.0.0.0/8'],
      target: 'address',
    })
    const { proxy } = readConfig({ https_proxy: url, no_proxy: 'a', ATRIUM_WEBHOOK_PROXY_TARGET: 'name' })
    assert.deepEqual(proxy, { url, exceptions: ['a'], target: 'name' })
  })

  for (const HTTPS_PROXY of [
    'proxy.example:3128',
    'socks5://me:hunter2@proxy.example',
    'http://me:hunter2@proxy.example/x',
  ]) {
    test(`cannot be ${HTTPS_PROXY}, and a password is not repeated`, () => {
      const rightly = ({ message }: Error) => message.startsWith('HTTPS_PROXY must be') && !message.includes('hunter2')
      assert.throws(() => readConfig({ HTTPS_PROXY }), rightly)
    })
  }
})
