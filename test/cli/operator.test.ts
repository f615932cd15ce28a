import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { command, type Serving, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

for (const engine of engines) {
  describe(`the link of atrium operator create on ${engine}`, () => {
    let database: FreshDatabase
    let serving: Serving
    let created = 0
    const create = async (settings: Record<string, string>, ...more: string[]) => {
      const email = `o${++created}@atrium.example`
      const outcome = await command(
        { ATRIUM_DATABASE: database.url, ...settings },
        'operator',
        'create',
        email,
        '--role',
        'admin',
        ...more,
      )
      assert.equal(outcome.code, 0, outcome.stderr)
      return outcome.stdout
    }
    const linkIn = (text: string) => /(\S+)\/console\/sign-in#link=(\S+)/.exec(text) ?? []

    before(async () => {
      database = await freshDatabase(engine)
      const settings = { ATRIUM_HOST: '0.0.0.0', ATRIUM_PUBLIC_URL: 'https://rooms.example' }
      serving = await serve({ ATRIUM_DATABASE: database.url, ...settings }, '--demo')
    })
    after(async () => {
      await serving.stop()
      await database.drop()
    })

    it('leads to ATRIUM_PUBLIC_URL', async () => {
      const url = 'https://atrium.example'
      const printed = await create({ ATRIUM_PUBLIC_URL: url, ATRIUM_HOST: '0.0.0.0' })
      assert.equal(linkIn(printed)[1], url)
      assert.doesNotMatch(printed, /Atrium is not reachable/)
      const { link } = JSON.parse(await create({ ATRIUM_PUBLIC_URL: url }, '--json'))
      assert.equal(linkIn(link)[1], url)
    })

    it('leads to a server that listens on all addresses, and signs in there', async () => {
      const { port } = new URL(serving.url)
      const printed = await create({ ATRIUM_HOST: '0.0.0.0', ATRIUM_PORT: port })
      const [, url, secret] = linkIn(printed)
      assert.equal(url, `http://127.0.0.1:${port}`)
      assert.doesNotMatch(printed, /Atrium is not reachable/)
      const response = await fetch(`${url}/cms/v1/sign-in/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ secret }),
      })
      assert.equal(response.status, 200, await response.text())
    })

    it('uses TLS if the service does, and brackets for IPv6', async () => {
      const tls = { ATRIUM_TLS_CERT: '/none.pem', ATRIUM_TLS_KEY: '/none.key', ATRIUM_PORT: '1' }
      for (const [host, url] of [
        ['0.0.0.0', 'https://127.0.0.1:1'],
        ['::', 'https://[::1]:1'],
        ['rooms.example.invalid', 'https://rooms.example.invalid:1'],
      ] as const) {
        assert.equal(linkIn(await create({ ...tls, ATRIUM_HOST: host }))[1], url)
      }
    })

    it('comes with advice when Atrium is not reachable at its address', async () => {
      assert.match(await create({ ATRIUM_PORT: '1' }), /Atrium is not reachable at http:\/\/127\.0\.0\.1:1 now\./)
    })

    it('leads to the running server, whatever its port, without settings of its own', async () => {
      const running = await serve({ ATRIUM_DATABASE: database.url })
      const printed = await create({})
      const [, url] = linkIn(printed)
      assert.equal(url, running.url)
      assert.doesNotMatch(printed, /Atrium is not reachable/)
      assert.equal((await fetch(`${url}/console/sign-in`)).status, 200)
      assert.equal(await running.stop(), 0)
      assert.equal(linkIn(await create({ ATRIUM_PORT: '1' }))[1], 'http://127.0.0.1:1')
    })

    it('of the demo leads to ATRIUM_PUBLIC_URL, too', () => {
      assert.equal(linkIn(serving.printed())[1], 'https://rooms.example')
    })
  })
}
