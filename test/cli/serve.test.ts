import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { atrium, command, type Serving, serve } from '../harness/command.ts'
import { connectTo } from '../harness/connection.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { startReceiver } from '../harness/receiver.ts'
import { begin, idleOn, untilLetGo } from '../harness/workers.ts'

const shell = promisify(execFile)

async function get(url: string, token: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: await response.json() }
}

function post(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const json = { 'content-type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
}

for (const engine of engines) {
  describe(`atrium serve --demo on ${engine}`, () => {
    let database: FreshDatabase
    let serving: Serving
    const settings = (more = {}) => ({ ATRIUM_DATABASE: database.url, ...more })
    const json = async (...args: string[]) => JSON.parse((await command(settings(), ...args, '--json')).stdout)
    const tokenOf = (partner: string) => {
      return new RegExp(`^ {2}${partner} .* (atr_\\w+)$`, 'm').exec(serving.printed())?.[1] ?? ''
    }

    const isLogged = (type: string, area: string) => {
      const lines = Array.from(serving.printed().matchAll(/^.*demo webhook.*$/gm), ([line]) => JSON.parse(line))
      return lines.some((line) => line.type === type && line.area === area)
    }

    before(async () => {
      database = await freshDatabase(engine)
      serving = await serve(settings(), '--demo')
    })
    after(async () => {
      await serving.stop()
      await database.drop()
    })

    it('prints its address in one line, and that of the documentation', async () => {
      assert.match(serving.printed(), new RegExp(`^atrium ready on ${serving.url}$`, 'm'))
      assert.match(serving.printed(), new RegExp(`^Documentation: ${serving.url}/docs$`, 'm'))
      assert.equal((await fetch(`${serving.url}/docs`)).status, 200)
    })

    it('creates a token for each partner, with access to its own facilities', async () => {
      for (const [partner, facility] of [
        ['acme-pms', 'lyon-01'],
        ['vesta-tv', 'annecy-01'],
      ] as const) {
        const { status, body } = await get(`${serving.url}/v1/facilities/`, tokenOf(partner))
        assert.equal(status, 200)
        assert.deepEqual(
          (body as { id_external: string }[]).map(({ id_external }) => id_external),
          [facility],
        )
      }
    })

    it('permits webhooks on this machine to the TV supplier, and creates its sandbox', async () => {
      const receiver = await startReceiver()
      const webhook = { url: `${receiver.url}/x`, types: '*' }
      const authorization = `Bearer ${tokenOf('vesta-tv')}`
      const sent = await post(`${serving.url}/v1/webhooks`, webhook, { authorization })
      assert.equal(sent.status, 200, await sent.text())
      await receiver[Symbol.asyncDispose]()
      const { body } = await get(`${serving.url}/v1/sandbox`, tokenOf('sandbox'))
      assert.equal((body as { partner: string }).partner, 'vesta-tv')
    })

    it('has rooms with services in the hospital', async () => {
      const { body } = await get(`${serving.url}/v1/facilities/annecy-01/areas`, tokenOf('vesta-tv'))
      const areas = body as { opened_at: string | null; data_services: object[] }[]
      assert.ok(areas.length >= 25)
      assert.ok(areas.filter(({ opened_at }) => opened_at !== null).length >= 3)
      assert.ok(areas.filter(({ data_services }) => data_services.length > 0).length >= 3)
    })

    it('prints three commands that work when pasted', async () => {
      const commands = Array.from(serving.printed().matchAll(/^ {2}(curl .+)$/gm), ([, command]) => command ?? '')
      const answers = []
      for (const command of commands) answers.push(JSON.parse((await shell('sh', ['-c', command])).stdout))
      const [facilities, renamed, added] = answers
      assert.equal(answers.length, 3)
      assert.equal(facilities[0].id_external, 'lyon-01')
      assert.deepEqual(renamed, { name: 'Deux Rives Lyon' })
      assert.equal(added.services.data_services.at(-1).code, 'newspaper')
      while (!isLogged('services.added', 'annecy-01-B-202')) await sleep(20)
    })

    it('applies concurrent commands at once', async () => {
      const url = `${serving.url}/v1/facilities/`
      const { id, token } = await json('token', 'create', 'acme-pms', '--name', 'beside', '--expires', '1d')
      assert.equal((await get(url, token)).status, 200)
      const rotated = await json('token', 'rotate', id)
      assert.deepEqual([(await get(url, token)).status, (await get(url, rotated.token)).status], [200, 200])
      await json('token', 'revoke', id)
      assert.deepEqual([(await get(url, token)).status, (await get(url, rotated.token)).status], [401, 200])
      await json('token', 'rotate', rotated.id, '--grace', '0')
      assert.equal((await get(url, rotated.token)).status, 401)
    })

    it('keeps its data on a second start, and creates no further tokens', async () => {
      const tokens = await json('token', 'list')
      const second = await serve(settings(), '--demo')
      assert.equal(await second.stop(), 0)
      assert.match(second.printed(), /^ {2}node bin\/atrium\.mjs token create acme-pms --name demo$/m)
      assert.match(second.printed(), new RegExp(`^Documentation: ${second.url}/docs$`, 'm'))
      assert.doesNotMatch(second.printed(), /atr_/)
      const secret = /\/console\/sign-in#link=(\w+)$/m.exec(second.printed())?.[1]
      const signedIn = await post(`${serving.url}/cms/v1/sign-in/link`, { secret }, { origin: serving.url })
      assert.equal(signedIn.status, 200)
      const ids = (list: { id: string }[]) => list.map(({ id }) => id)
      assert.deepEqual(ids(await json('token', 'list')), ids(tokens))
    })

    it('still has its webhook after another start', async () => {
      const token = tokenOf('vesta-tv')
      assert.equal(await serving.stop(), 0)
      serving = await serve(settings(), '--demo')
      const authorization = `Bearer ${token}`
      assert.equal((await post(`${serving.url}/v1/areas/annecy-01-C-302/`, {}, { authorization })).status, 200)
      while (!isLogged('area.opened', 'annecy-01-C-302')) await sleep(20)
    })
  })

  describe(`atrium serve on ${engine}`, () => {
    let database: FreshDatabase
    const settings = (more = {}) => ({ ATRIUM_DATABASE: database.url, ...more })
    before(async () => {
      database = await freshDatabase(engine)
    })
    after(() => database.drop())

    it('loads no demo by default, and stops gracefully on each signal', async () => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const serving = await serve(settings())
        assert.doesNotMatch(serving.printed(), /atr_|curl/)
        serving.child.kill(signal)
        assert.deepEqual(await once(serving.child, 'exit'), [0, null])
      }
      assert.deepEqual(JSON.parse((await command(settings(), 'partner', 'list', '--json')).stdout), [])
    })

    it('prints the ready line at any log level, and as JSON for scripts', async () => {
      const silent = await serve(settings({ ATRIUM_LOG: 'silent' }))
      assert.equal(silent.printed(), `atrium ready on ${silent.url}\n`)
      await silent.stop()
      const scripted = await serve(settings({ ATRIUM_LOG: 'silent' }), '--json')
      assert.deepEqual(JSON.parse(scripted.printed()), { ready: `atrium ready on ${scripted.url}`, url: scripted.url })
      await scripted.stop()
    })

    it('names a port that is in use', async () => {
      const stranger = createServer().listen(0, '127.0.0.1')
      await once(stranger, 'listening')
      const { port } = stranger.address() as { port: number }
      const { code, stdout, stderr } = await atrium(
        settings({ ATRIUM_PORT: String(port), ATRIUM_LOG: 'silent' }),
        'serve',
      )
      stranger.close()
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, new RegExp(`^atrium: [^\\n]*${port}[^\\n]*ATRIUM_PORT[^\\n]*\\n$`))
    })

    it('completes a request that is being received, and ends at once on a second signal', async () => {
      const serving = await serve(settings())
      const half = await connectTo(serving.url)
      await begin(half, 'GET /v1/facilities/ HTTP/1.1\r\nHost: ')
      const idle = await idleOn(serving.url)
      serving.child.kill('SIGTERM')
      await untilLetGo(idle)
      // Within this time, a second signal counts as the same one, passed on by npm or a shell.
      await sleep(1000)
      assert.equal(serving.child.exitCode, null)
      const ended = once(serving.child, 'exit')
      serving.child.kill('SIGTERM')
      assert.deepEqual(await ended, [143, null])
      half.close()
    })
  })
}
