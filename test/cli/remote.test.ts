import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, it, test } from 'node:test'
import { atriumVersion } from '../../src/version.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { certificates } from '../harness/certificates.ts'
import { command, type Outcome } from '../harness/command.ts'
import { addOperator } from '../harness/operators.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-remote-'))

/** Runs a command with a text as its standard input. */
async function withInput(input: string, ...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['bin/atrium.mjs', ...args])
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

onEachEngine('commands with --server', {}, (atrium) => {
  let key: string
  let viewer: string
  before(async () => {
    key = (await addOperator(atrium(), 'admin')).key
    viewer = (await addOperator(atrium(), 'viewer')).key
  })
  const local = (...args: string[]) => command({ ATRIUM_DATABASE: atrium().databaseUrl }, ...args)
  const remote = (...args: string[]) => command({ ATRIUM_KEY: key }, ...args, '--server', atrium().url)
  const json = async (...args: string[]) => JSON.parse((await remote(...args, '--json')).stdout)

  for (const line of [
    'partner list',
    'partner list --json',
    'partner show ward',
    'partner show hotelier --json',
    'partner show nobody',
    'token list',
    'token list ward --json',
    'token list nobody',
    'token revoke 00000000',
    'token rotate 00000000',
    'token create nobody --name x',
    'sandbox show ward',
    'sandbox create ward --facilities nowhere',
    'export',
    'export --json',
  ]) {
    it(`\`atrium ${line}\` prints the same as on the database`, async () => {
      const words = line.split(' ')
      assert.deepEqual(await remote(...words), await local(...words))
    })
  }

  it('tokens are created, rotated and revoked', async () => {
    const made = await json('token', 'create', 'ward', '--name', 'remote', '--expires', '90d', '--allow', '127.0.0.0/8')
    assert.deepEqual([made.partner, made.name], ['ward', 'remote'])
    assert.equal((await atrium().ask('GET /v1/me', { as: made.token })).status, 200)
    const rotated = await json('token', 'rotate', made.id, '--grace', '0')
    assert.deepEqual([rotated.name, rotated.replaces.id, rotated.replaces.status], ['remote', made.id, 'revoked'])
    assert.match((await remote('token', 'rotate', made.id)).stderr, /is revoked, which cannot be undone/)
    assert.match((await remote('token', 'revoke', rotated.id)).stdout, /is revoked and refused from now on\./)
    assert.match((await remote('token', 'revoke', rotated.id)).stdout, /revoked/)
    assert.equal((await atrium().ask('GET /v1/me', { as: rotated.token })).status, 401)
    const entries = (await atrium().ask('GET /cms/v1/audit?action=token.create', { as: key })).body
    assert.equal(entries[0].actor.name, 'admin@example.com')
  })

  it('a token is imported, with the key and the hash on two lines of standard input', async () => {
    const secret = `opaque-secret-of-${atrium().engine}`
    const lines = [key, `${hash('sha256', secret)}  -`]
    const args = ['token', 'import', 'ward', '--name', 'tills', '--sha256-stdin']
    const imported = () => withInput(`${lines.join('\n')}\n`, ...args, '--server', atrium().url, '--key', '-')
    assert.match((await imported()).stdout, /^Imported as token \w{8} \(tills\) of ward; rotate it by \d{4}-.+Z\.\n$/)
    assert.equal((await atrium().ask('GET /v1/me', { as: secret })).status, 200)
    const again = await imported()
    assert.equal(again.code, 1)
    assert.match(again.stderr, /Token \w{8} of ward has this hash already\. Revoked tokens count as well\./)
    args[2] = 'wrad'
    assert.match((await imported()).stderr, /there is no partner "wrad".*ward/)
  })

  it('a sandbox is created, advanced, reset and removed', async () => {
    const made = await json('sandbox', 'create', 'hotelier', '--facilities', 'lyon-01')
    assert.equal(made.facilities[0].copy_of, 'lyon-01')
    assert.equal((await json('sandbox', 'clock', 'hotelier', '--advance', 'PT2H')).clock.ahead_seconds, 7200)
    assert.match((await remote('sandbox', 'reset', 'hotelier')).stdout, /^Reset the sandbox of hotelier/)
    assert.equal((await json('sandbox', 'remove', 'hotelier')).id, made.id)
  })

  it('export writes a file', async () => {
    const file = join(folder, `${atrium().engine}.yaml`)
    assert.deepEqual(await remote('export', '--output', file), { code: 0, stdout: '', stderr: '' })
    assert.equal(readFileSync(file, 'utf8'), (await local('export')).stdout)
  })

  it('the key can come from standard input', async () => {
    const outcome = await withInput(`${key}\n`, 'partner', 'list', '--server', atrium().url, '--key', '-')
    assert.deepEqual(outcome, await local('partner', 'list'))
  })

  const refused: [title: string, settings: () => Record<string, string>, args: string[], says: RegExp][] = [
    ['a wrong key', () => ({ ATRIUM_KEY: `atk_00000000_${'0'.repeat(49)}` }), [], /does not accept the key/],
    ['the key of a viewer', () => ({ ATRIUM_KEY: viewer }), ['token', 'list'], /needs the role admin; yours is viewer/],
    ['no key', () => ({ ATRIUM_KEY: '' }), [], /needs the key of an operator: set ATRIUM_KEY_FILE, or use --key -/],
    ['a token for a key', () => ({ ATRIUM_KEY: 'atr_x' }), [], /ATRIUM_KEY must be the key of an operator/],
    ['a key in the arguments', () => ({}), ['partner', 'list', '--key', 'atk_x'], /others can see a command line/],
    ['a command for databases', () => ({}), ['audit', 'seal'], /works on the database itself: use it without --server/],
    ...['serve', 'doctor', 'migrate', 'restore x', 'audit prune', 'operator list'].map((line) => {
      const refusal = /^atrium: this command works on the database itself/
      return [`\`${line}\` with a server`, () => ({}), line.split(' '), refusal] as (typeof refused)[number]
    }),
  ]
  for (const [title, settings, args, says] of refused) {
    it(`${title} is refused`, async () => {
      const words = args.length > 0 ? args : ['partner', 'list']
      const all = { ATRIUM_KEY: key, ATRIUM_SERVER: atrium().url, ...settings() }
      const { code, stdout, stderr } = await command(all, ...words)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: [^\n]+\n$/)
    })
  }
})

/** Starts a server that is not Atrium, or not this version of it. */
async function serverOf(listener: RequestListener, tls?: object): Promise<{ url: string; close(): void }> {
  const server = (tls ? createTlsServer(tls, listener) : createServer(listener)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => void server.close().closeAllConnections()
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, close }
}

const about: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json')
  if (request.url === '/cms/v1/about') return void response.end(JSON.stringify({ version: atriumVersion() }))
  response.write('facilities:\n')
  setTimeout(() => response.destroy(), 50)
}

const cases: [title: string, listener: RequestListener, says: RegExp, tls?: true][] = [
  ['a page of another server', (_, response) => response.end('<html>'), /there is no Atrium at http/],
  ['an error of another server', (_, response) => response.writeHead(404).end(), /no Atrium at .* with status 404/],
  ['another version', (_, response) => response.end('{"version":"99.1.0"}'), /runs Atrium 99\.1\.0, .*same version/],
  ['a lost connection', about, /the connection to http\S+ was lost/],
  ['a self-signed certificate', about, /the certificate of https\S+ is not trusted .*NODE_EXTRA_CA_CERTS/, true],
  ['a redirect', (_, response) => response.writeHead(302, { location: '/x' }).end(), /redirects to another address/],
]
for (const [title, listener, says, tls] of cases) {
  test(`${title} is explained, and nothing is written`, async () => {
    const { url, close } = await serverOf(
      listener,
      tls && { key: certificates.first.key, cert: certificates.first.certificate },
    )
    const file = join(folder, 'lost.yaml')
    const settings = { ATRIUM_KEY: 'atk_x', ATRIUM_SERVER: url }
    const { code, stdout, stderr } = await command(settings, 'export', '--output', file)
    close()
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, says)
    assert.match(stderr, /^atrium: [^\n]+\n$/)
    assert.throws(() => readFileSync(file))
  })
}

test('a server that is not there is explained', async () => {
  const { url, close } = await serverOf(about)
  close()
  const { stderr } = await command({ ATRIUM_KEY: 'atk_x', ATRIUM_SERVER: url }, 'partner', 'list')
  assert.match(stderr, /^atrium: http\S+ cannot be reached \(ECONNREFUSED\): check the address and the service\n$/)
})
