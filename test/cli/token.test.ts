import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createToken, rotateToken } from '../../src/operations/access/token.ts'
import { touchTokens } from '../../src/storage/access/token.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { command, type Outcome } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const estate = {
  facilities: [{ id_external: 'lyon-01', name: 'Hôtel Bellecour', status: 'active', type: 'hotel' }],
  partners: [
    { id: 'acme-pms', name: 'Acme PMS', grants: [{ facilities: ['lyon-01'], read: '*', write: ['name'], rooms: [] }] },
    { id: 'vesta-tv', name: 'Vesta TV', grants: [] },
  ],
}

const dayMs = 86_400_000
/** Allowed difference between the clock of the command and of the test. */
const slackMs = 60_000

function isAbout(iso: string | null, ms: number): void {
  const awayMs = Math.abs(Date.parse(iso ?? '') - ms)
  assert.ok(awayMs < slackMs, `${iso} is ${awayMs} ms away from ${new Date(ms).toISOString()}`)
}

function refuses(outcome: Outcome, code: number, says: RegExp): void {
  assert.deepEqual([outcome.code, outcome.stdout], [code, ''])
  assert.match(outcome.stderr, says)
  assert.match(outcome.stderr, /^atrium: [^\n]+\n$/)
}

describe('atrium token with wrong arguments opens no database', { concurrency: 4 }, () => {
  const create = ['create', 'acme-pms', '--name']
  const imported = ['import', 'acme-pms', '--name', 'x', '--sha256-stdin']
  for (const { args, code = 1, says } of [
    { args: ['create', 'acme-pms'], code: 2, says: /--name <NAME>' not specified/ },
    { args: ['create', '--name', 'x'], code: 2, says: /missing required argument 'PARTNER'/ },
    { args: ['destroy'], code: 2, says: /unknown command 'destroy'.*`atrium token --help`/ },
    { args: ['revoke', 'a', 'b'], code: 2, says: /too many arguments/ },
    { args: [...create, ' '], says: /--name must be 1 to 100 characters/ },
    { args: [...create, 'a\nb'], says: /without control characters/ },
    { args: [...create, 'x'.repeat(101)], says: /1 to 100 characters/ },
    {
      args: [...create, 'x', '--expires', 'soon'],
      says: /"soon" is not a time for --expires: use a duration such as 90d/,
    },
    { args: [...create, 'x', '--expires', '2020-01-01'], says: /is not in the future/ },
    { args: [...create, 'x', '--allow', '10.0.0.0/64'], says: /"10\.0\.0\.0\/64" is not an address range/ },
    { args: [...create, 'x', '--allow', ''], says: /is not an address range/ },
    { args: ['import', 'acme-pms', '--name', 'x'], code: 2, says: /--sha256-stdin' not specified/ },
    { args: [...imported, '--rotate-by', 'never'], says: /"never" is not a time for --rotate-by: use a duration/ },
    { args: imported, says: /standard input must hold a SHA-256, 64 hexadecimal digits/ },
    { args: ['rotate', 'a', '--grace', 'long'], says: /"long" is not a grace period/ },
    { args: ['rotate', 'a', '--expires', 'soon'], says: /is not a time for --expires/ },
  ]) {
    it(`refuses \`atrium token ${JSON.stringify(args.join(' ')).slice(1, 60)}\``, async () => {
      refuses(await command({ ATRIUM_DATABASE: 'sqlite:/nowhere/at/all.db' }, 'token', ...args), code, says)
    })
  }
})

for (const engine of engines) {
  describe(`atrium token on ${engine}`, { concurrency: 4 }, () => {
    let database: FreshDatabase
    let folder: string
    const run = (...args: string[]) => command({ ATRIUM_DATABASE: database.url }, ...args)

    const json = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(...args, '--json')
      assert.deepEqual([code, stderr], [0, ''])
      return JSON.parse(stdout)
    }

    const listed = async (id: string) => (await json('token', 'list')).find((token: { id: string }) => token.id === id)

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'))
      database = await freshDatabase(engine)
      await writeFile(join(folder, 'estate.json'), JSON.stringify(estate))
      assert.equal((await run('apply', join(folder, 'estate.json'))).code, 0)
    })
    after(async () => {
      await database.drop()
      await rm(folder, { recursive: true })
    })

    it('create prints the token once, and only its SHA-256 is stored', async () => {
      const made = await json('token', 'create', 'acme-pms', '--name', 'ci', '--expires', '90d')
      assert.deepEqual(Object.keys(made), ['id', 'token', 'partner', 'name', 'expires_at'])
      assert.deepEqual([made.partner, made.name, made.token.slice(4, 12)], ['acme-pms', 'ci', made.id])
      isAbout(made.expires_at, Date.now() + 90 * dayMs)

      const db = openDatabase(database.url)
      const stored = await db
        .read((tx) => tx.query.selectFrom('token').selectAll().where('id', '=', made.id).executeTakeFirst())
        .finally(() => db.close())
      assert.equal(stored?.hash, createHash('sha256').update(made.token).digest('hex'))
      assert.ok(!JSON.stringify(stored).includes(made.token.slice(13)))
    })

    it('create prints readable text', async () => {
      const { code, stdout } = await run('token', 'create', 'acme-pms', '--name', 'till', '--allow', '10.0.0.0/8, ::1')
      assert.equal(code, 0)
      assert.match(
        stdout,
        /^Token \w{8} \(till\) of acme-pms, never expires, accepted from 10\.0\.0\.0\/8, ::1\/128:$/m,
      )
      assert.match(stdout, /^ {2}atr_\w{8}_\w{49}$/m)
      assert.match(stdout, /shown only once/)
    })

    it('list shows tokens without their secrets, of one partner or all', async () => {
      const made = await json('token', 'create', 'vesta-tv', '--name', 'bedside', '--allow', '192.0.2.7')
      const { created_at, ...token } = await listed(made.id)
      isAbout(created_at, Date.now())
      assert.deepEqual(token, {
        id: made.id,
        partner: 'vesta-tv',
        name: 'bedside',
        status: 'active',
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        allowed_ranges: ['192.0.2.7/32'],
        imported: false,
        rotate_by: null,
      })
      const ofAcme = await json('token', 'list', 'acme-pms')
      assert.ok(ofAcme.every(({ partner }: { partner: string }) => partner === 'acme-pms'))

      const { stdout } = await run('token', 'list', 'vesta-tv')
      assert.match(stdout, /^ID +PARTNER +NAME +STATUS +CREATED +EXPIRES +LAST USED +ALLOWED FROM$/m)
      assert.match(stdout, new RegExp(`^${made.id} +vesta-tv +bedside +active +.+Z +never +never +192.0.2.7/32$`, 'm'))
      assert.doesNotMatch(stdout, /atr_/)
    })

    it('revoke takes effect at once, and a second time changes nothing', async () => {
      const { id } = await json('token', 'create', 'acme-pms', '--name', 'lost')
      const revoked = await json('token', 'revoke', id)
      assert.equal(revoked.status, 'revoked')
      isAbout(revoked.revoked_at, Date.now())
      assert.deepEqual(await listed(id), revoked)

      const again = await run('token', 'revoke', id)
      assert.equal(again.code, 0)
      assert.match(again.stdout, /was revoked already/)
      assert.deepEqual(await listed(id), revoked)
    })

    it('rotate creates an equal token and keeps the old one valid for the grace period', async () => {
      const old = await json(
        'token',
        'create',
        'acme-pms',
        '--name',
        'prod',
        '--expires',
        '30d',
        '--allow',
        '10.0.0.0/8',
      )
      const made = await json('token', 'rotate', old.id, '--grace', '2d')
      assert.notEqual(made.token, old.token)
      assert.deepEqual([made.partner, made.name], ['acme-pms', 'prod'])
      isAbout(made.expires_at, Date.now() + 30 * dayMs)
      assert.deepEqual((await listed(made.id)).allowed_ranges, ['10.0.0.0/8'])
      assert.deepEqual(await listed(old.id), made.replaces)
      assert.equal(made.replaces.status, 'active')
      isAbout(made.replaces.expires_at, Date.now() + 2 * dayMs)
    })

    for (const { when, life, order, oldEnds, newEnds } of [
      { when: 'it has no end', life: null, order: {}, oldEnds: 7, newEnds: null },
      { when: 'it would end sooner anyway', life: 1, order: {}, oldEnds: 1, newEnds: 1 },
      { when: 'it has an end', life: 30, order: {}, oldEnds: 7, newEnds: 30 },
      { when: 'no expiry is requested', life: 30, order: { expiresAt: null }, oldEnds: 7, newEnds: null },
    ]) {
      it(`rotate when ${when}: the old ends in ${oldEnds} days, the new in ${newEnds ?? 'no'} days`, async () => {
        const db = openDatabase(database.url)
        const expiresAt = life === null ? null : new Date(Date.now() + life * dayMs).toISOString()
        const old = await createToken(db, { partner: 'acme-pms', name: 'turn', expiresAt, allowedRanges: [] })
        const rotation = await rotateToken(db, old?.token.id ?? '', { graceSeconds: 7 * 86_400, ...order })
        await db.close()
        assert.ok(typeof rotation === 'object')
        isAbout(rotation.old.expiresAt, Date.now() + oldEnds * dayMs)
        if (newEnds === null) assert.equal(rotation.token.expiresAt, null)
        else isAbout(rotation.token.expiresAt, Date.now() + newEnds * dayMs)
      })
    }

    it('rotate without a grace period revokes the old token, which cannot be rotated again', async () => {
      const old = await json('token', 'create', 'acme-pms', '--name', 'leaked')
      const { stdout } = await run('token', 'rotate', old.id, '--grace', '0')
      assert.match(stdout, new RegExp(`The old token ${old.id} is revoked`))
      assert.equal((await listed(old.id)).status, 'revoked')

      const again = await run('token', 'rotate', old.id)
      assert.equal(again.code, 1)
      assert.match(again.stderr, /is revoked, which cannot be undone: create a new one with `atrium token create`/)
    })

    it('list shows the minute of the last use, which never decreases', async () => {
      const { id } = await json('token', 'create', 'acme-pms', '--name', 'used')
      const db = openDatabase(database.url)
      const used = (minute: string) => {
        return db.write(async (tx) => touchTokens(tx, [[id, minute] as const, ['nothing1', minute] as const]))
      }
      for (const minute of ['08:30', '08:32', '08:31']) await used(`2026-11-15T${minute}:00.000Z`)
      await db.close()
      assert.equal((await listed(id)).last_used_at, '2026-11-15T08:32:00.000Z')
    })

    for (const { args, says } of [
      { args: ['create', 'acme-pm', '--name', 'x'], says: /did you mean "acme-pms"\? see `atrium partner list`/ },
      { args: ['create', 'nobody', '--name', 'x'], says: /no partner "nobody": see `atrium partner list`/ },
      { args: ['list', 'nobody'], says: /no partner "nobody"/ },
      { args: ['revoke', 'nothing1'], says: /no token "nothing1": see `atrium token list`/ },
      { args: ['revoke', "x' or '1'='1"], says: /no token/ },
      { args: ['rotate', 'nothing1'], says: /no token "nothing1"/ },
    ]) {
      it(`refuses \`atrium token ${args.join(' ')}\``, async () => refuses(await run('token', ...args), 1, says))
    }

    it('refuses a secret on the command line without repeating it', async () => {
      const { id, token } = await json('token', 'create', 'acme-pms', '--name', 'pasted')
      for (const command of ['revoke', 'rotate']) {
        const { code, stderr } = await run('token', command, token)
        assert.equal(code, 1)
        assert.match(stderr, new RegExp(`use the id of the token, ${id}, never the token itself`))
        assert.ok(!stderr.includes(token.slice(13)))
      }
      assert.equal((await listed(id)).status, 'active')
    })
  })
}
