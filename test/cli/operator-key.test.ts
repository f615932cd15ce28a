import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { command, type Serving, serve } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const email = 'ci@atrium.example'

for (const engine of engines) {
  describe(`atrium operator key (${engine})`, () => {
    let database: FreshDatabase
    let serving: Serving
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, 'operator', ...args)
    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json')
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    }
    const statusWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${serving.url}/cms/v1/operators`, { headers })).status
    }

    before(async () => {
      database = await freshDatabase(engine)
      serving = await serve({ ATRIUM_DATABASE: database.url })
      assert.equal((await run('create', email, '--role', 'admin')).code, 0)
    })
    after(async () => {
      await serving.stop()
      await database.drop()
    })

    it('creates a key that works until it is revoked', async () => {
      const made = await json('key', 'create', 'CI@Atrium.Example', '--name', 'ci', '--expires', '90d')
      assert.deepEqual(Object.keys(made), ['id', 'key', 'operator', 'name', 'expires_at'])
      assert.deepEqual([made.operator, made.name], [email, 'ci'])
      assert.equal(Math.round((Date.parse(made.expires_at) - Date.now()) / 86_400_000), 90)
      assert.equal(await statusWith(made.key), 200)
      const revoked = await json('key', 'revoke', made.id)
      assert.deepEqual([revoked.id, revoked.operator, revoked.status], [made.id, email, 'revoked'])
      assert.equal(await statusWith(made.key), 401)
    })

    it('prints a key for people, and lists it without its secret', async () => {
      const { stdout } = await run('key', 'create', email, '--name', 'nightly', '--allow', '192.0.2.0/24')
      const [secret = '', id = ''] = /atk_(\w{8})_\w+/.exec(stdout) ?? []
      assert.equal(await statusWith(secret), 403)
      for (const args of [[], [email]]) {
        const listed = (await run('key', 'list', ...args)).stdout
        assert.match(listed, new RegExp(`^${id} +${email} +nightly +active .* never +never$`, 'm'))
        assert.doesNotMatch(listed, /atk_/)
      }
      const keys = await json('key', 'list', email)
      assert.deepEqual(keys.find((key: { id: string }) => key.id === id).allowed_ranges, ['192.0.2.0/24'])
    })

    for (const [args, says] of [
      [['key', 'create', 'x@atrium.example', '--name', 'x'], /no operator "x@atrium\.example": create one/],
      [['key', 'list', 'x@atrium.example'], /no operator "x@atrium\.example"/],
      [['key', 'create', email, '--name', 'x', '--expires', 'soon'], /"soon" is not a time for --expires/],
      [['key', 'revoke', 'nothing1'], /no key "nothing1": see `atrium operator key list`/],
      [['key', 'revoke', `atk_nothing1_${'x'.repeat(49)}`], /use the id of the key, nothing1, never the key itself/],
    ] as const) {
      it(`refuses \`${args.join(' ').slice(0, 60)}\``, async () => {
        const { code, stdout, stderr } = await run(...args)
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, says)
        assert.match(stderr, /^atrium: [^\n]+\n$/)
      })
    }

    it('creates no key for a disabled operator', async () => {
      const { key } = await json('key', 'create', email, '--name', 'x')
      const { id } = await json('create', 'gone@atrium.example')
      const response = await fetch(`${serving.url}/cms/v1/operators/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ disabled: true }),
      })
      assert.equal(response.status, 200, await response.text())
      const { code, stderr } = await run('key', 'create', 'gone@atrium.example', '--name', 'x')
      assert.equal(code, 1)
      assert.match(stderr, /gone@atrium\.example is disabled/)
    })
  })
}
