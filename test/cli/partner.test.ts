import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { command } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const facility = (id: string) => ({ id_external: id, name: id, status: 'active', type: 'hotel' })
const grants = [
  { facilities: ['nice-02', 'lyon-01'], read: '*', write: ['name', 'ssid_public'], rooms: [] },
  { facilities: '*', read: ['areas'], write: [], rooms: '*' },
]
const contract = { type: 'object', required: ['room_plan'] }
const estate = {
  facilities: [facility('lyon-01'), facility('nice-02')],
  partners: [
    { id: 'acme-pms', name: 'Acme PMS', contract, grants },
    { id: 'vesta-tv', name: 'Vesta Télé', contract: null, grants: [] },
  ],
}

for (const engine of engines) {
  describe(`atrium partner on ${engine}`, { concurrency: 4 }, () => {
    let database: FreshDatabase
    let folder: string
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, ...args)
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'))
      database = await freshDatabase(engine)
      assert.deepEqual(await json('migrate').then(() => json('partner', 'list')), [])
      await writeFile(join(folder, 'estate.json'), JSON.stringify(estate))
      assert.equal((await run('apply', join(folder, 'estate.json'))).code, 0)
      await run('token', 'create', 'acme-pms', '--name', 'one')
      const { id } = await json('token', 'create', 'acme-pms', '--name', 'two')
      await run('token', 'revoke', id)
    })
    after(async () => {
      await database.drop()
      await rm(folder, { recursive: true })
    })

    it('list counts grants and active tokens', async () => {
      assert.deepEqual(await json('partner', 'list'), [
        { id: 'acme-pms', name: 'Acme PMS', grants: 2, tokens: 1 },
        { id: 'vesta-tv', name: 'Vesta Télé', grants: 0, tokens: 0 },
      ])
      assert.equal(
        (await run('partner', 'list')).stdout,
        [
          'ID        NAME        GRANTS  ACTIVE TOKENS',
          'acme-pms  Acme PMS    2       1',
          'vesta-tv  Vesta Télé  0       0',
          '',
        ].join('\n'),
      )
    })

    it('show prints the grants as they were written, and the tokens', async () => {
      const { tokens, ...partner } = await json('partner', 'show', 'acme-pms')
      const [first, second] = grants
      assert.deepEqual(partner, {
        id: 'acme-pms',
        name: 'Acme PMS',
        rate_limit: null,
        webhooks: false,
        contract,
        grants: [{ ...first, facilities: ['lyon-01', 'nice-02'] }, second],
      })
      assert.deepEqual(
        tokens.map(({ name, status }: { name: string; status: string }) => [name, status]),
        [
          ['one', 'active'],
          ['two', 'revoked'],
        ],
      )
    })

    it('show prints readable text', async () => {
      const { stdout } = await run('partner', 'show', 'acme-pms')
      assert.match(stdout, /^name +Acme PMS$/m)
      assert.match(
        stdout,
        /^ {2}1 {2}facilities {2}lyon-01, nice-02\n {5}read {8}everything\n {5}write {7}name, ssid_public$/m,
      )
      assert.match(stdout, /^ {2}2 {2}facilities {2}all, future ones included$/m)
      const bare = await run('partner', 'show', 'vesta-tv')
      assert.match(bare.stdout, /none: the partner has access to nothing/)
      assert.match(bare.stdout, /create one with `atrium token create vesta-tv --name NAME`/)
    })

    for (const { args, code = 1, says } of [
      {
        args: ['show', 'vesta'],
        says: /there is no partner "vesta": did you mean "vesta-tv"\? see `atrium partner list`/,
      },
      { args: ['show', 'zulu'], says: /there is no partner "zulu": see `atrium partner list`/ },
      { args: ['show'], code: 2, says: /missing required argument 'ID' \(`atrium partner show --help` shows how\)/ },
      { args: ['remove', 'vesta-tv'], code: 2, says: /unknown command 'remove'/ },
    ]) {
      it(`refuses \`atrium partner ${args.join(' ')}\``, async () => {
        const outcome = await run('partner', ...args)
        assert.deepEqual([outcome.code, outcome.stdout], [code, ''])
        assert.match(outcome.stderr, says)
        assert.match(outcome.stderr, /^atrium: [^\n]+\n$/)
      })
    }
  })
}
