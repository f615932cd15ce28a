import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database.ts'
import { sourceFiles } from '../guards/source.ts'
import { atrium, command as inTurn } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'

const commands = [
  'serve',
  'apply',
  'export',
  'backup',
  'restore',
  'migrate',
  'doctor',
  'version',
  'partner list',
  'partner show',
  'token create',
  'token list',
  'token revoke',
  'token rotate',
  'audit verify',
  'audit seal',
  'check',
  'pull',
  'compare',
  'mirror',
]
/** Commands that need a database; the others can create it. */
const needEstate = ['token list', 'token revoke a', 'partner list', 'export', 'backup x', 'audit verify', 'audit seal']

const words = (line: string) => line.split(' ')

describe('atrium --help', { concurrency: 4 }, () => {
  it('names every command and every setting', async () => {
    const { code, stdout, stderr } = await atrium({}, '--help')
    assert.deepEqual([code, stderr], [0, ''])
    const groups = new Set(commands.map((command) => words(command)[0]))
    for (const name of groups) assert.match(stdout, new RegExp(`^ {2}${name}\\b`, 'm'))
    const config = sourceFiles('src/config.ts', 'src/config/*.ts').map(({ text }) => text)
    const settings = new Set(Array.from(config.join().matchAll(/ATRIUM_[A-Z_]+/g), ([name]) => name))
    const described = new Set(Array.from(stdout.matchAll(/^ {2}(ATRIUM_[A-Z_]+) {2}/gm), ([, name]) => name))
    assert.deepEqual(described, settings)
  })

  for (const command of commands) {
    it(`${command} --help describes it, with --json`, async () => {
      const { code, stdout, stderr } = await atrium({}, ...words(command), '--help')
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, new RegExp(`^Usage: atrium ${command}`))
      assert.match(stdout, /^ {2}--json /m)
    })
  }

  for (const args of [[], ['token'], ['partner'], ['audit']]) {
    it(`\`atrium ${args.join(' ')}\` alone shows the help, as a mistake`, async () => {
      const { code, stdout, stderr } = await atrium({}, ...args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^Usage: atrium/)
    })
  }
})

describe('atrium version', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.equal((await atrium({}, 'version')).stdout, `atrium ${version} (Node ${process.versions.node})\n`)
    assert.deepEqual(JSON.parse((await atrium({}, 'version', '--json')).stdout), {
      version,
      node: process.versions.node,
    })
    assert.equal((await atrium({}, '--version')).stdout, `atrium ${version}\n`)
  })
})

describe('a command line or setting that is wrong', { concurrency: 4 }, () => {
  for (const { args, settings = {}, code = 2, says } of [
    { args: ['sevre'], says: /unknown command 'sevre' \(Did you mean serve\?\)/ },
    { args: ['serve', '--dmeo'], says: /unknown option '--dmeo'.*--demo/ },
    { args: ['audit', 'verify', '--head', 'x'], says: /'x' is invalid.*64 digits/ },
    { args: ['apply'], says: /missing required argument 'FILE'/ },
    { args: ['version', 'now'], says: /too many arguments/ },
    { args: ['serve'], settings: { ATRIUM_PORT: 'http' }, code: 1, says: /ATRIUM_PORT must be a whole number/ },
    { args: ['token', 'list'], settings: { ATRIUM_LOG: 'loud' }, code: 1, says: /ATRIUM_LOG must be one of/ },
    {
      args: ['partner', 'list'],
      settings: { ATRIUM_DATABASE: 'mysql://root:hunter2@db/x' },
      code: 1,
      says: /ATRIUM_DATABASE must be sqlite:PATH or postgres:/,
    },
    {
      args: ['migrate'],
      settings: { ATRIUM_DATABASE: 'postgres://root:hunter2@[' },
      code: 1,
      says: /the database cannot be used \(Invalid URL\): check ATRIUM_DATABASE/,
    },
    {
      args: ['migrate'],
      settings: { ATRIUM_DATABASE: 'postgres://root:hunter2@one,two/x?target_session_attrs=standby' },
      code: 1,
      says: /target_session_attrs in ATRIUM_DATABASE must be one of any, read-write, primary, not "standby"/,
    },
    {
      args: ['migrate'],
      settings: { ATRIUM_DATABASE: 'postgres://root:hunter2@127.0.0.1:1,127.0.0.1:2/x' },
      code: 1,
      says: /the database cannot be reached \(.*ECONNREFUSED.*\): check that it is running/,
    },
    {
      args: ['serve'],
      settings: { ATRIUM_HOST: '192.0.2.1', ATRIUM_DATABASE: `sqlite:${join(tmpdir(), 'atrium-cli-host.db')}` },
      code: 1,
      says: /EADDRNOTAVAIL.*set ATRIUM_HOST to an address of this machine/,
    },
    ...['serve', 'migrate', 'partner list', 'audit verify'].map((command) => ({
      args: words(command),
      settings: { ATRIUM_DATABASE: 'postgres://root:hunter2@127.0.0.1:1/x', ATRIUM_DATABASE_WAIT_SECONDS: '0' },
      code: 1,
      says: /the database cannot be reached \(.*ECONNREFUSED.*\): check that it is running, and ATRIUM_DATABASE/,
    })),
  ]) {
    it(`\`atrium ${args.join(' ')}\` with ${JSON.stringify(settings)} fails with one line`, async () => {
      const outcome = await (args[0] === 'serve' ? atrium : inTurn)(settings, ...args)
      assert.deepEqual([outcome.code, outcome.stdout], [code, ''])
      assert.match(outcome.stderr, says)
      assert.match(outcome.stderr, /^atrium: [^\n]+\n$/)
      assert.doesNotMatch(outcome.stderr, /hunter2/)
    })
  }

  it('shows the stack with ATRIUM_LOG=debug', async () => {
    const settings = { ATRIUM_LOG: 'debug', ATRIUM_DATABASE: 'postgres://127.0.0.1:1/x' }
    assert.match((await inTurn(settings, 'partner', 'list')).stderr, /\n +at /)
  })
})

describe('a database that cannot be used', { concurrency: 4 }, () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-cli-'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const command of needEstate) {
    it(`\`atrium ${command}\` reports a missing database and creates none`, async () => {
      const file = join(folder, 'none', 'atrium.db')
      const { code, stderr } = await inTurn({ ATRIUM_DATABASE: `sqlite:${file}` }, ...words(command))
      assert.equal(code, 1)
      assert.match(stderr, /^atrium: .*none.atrium\.db.*`atrium migrate`.*\n$/)
      assert.equal(existsSync(join(folder, 'none')), false)
    })
  }

  it('is not a database file', async () => {
    const file = join(folder, 'letter.txt')
    await writeFile(file, 'Dear Sir or Madam, this is a letter and no database. '.repeat(100))
    const { code, stderr } = await atrium({ ATRIUM_DATABASE: `sqlite:${file}` }, 'partner', 'list')
    assert.equal(code, 1)
    assert.match(stderr, /^atrium: the database cannot be opened \(file is not a database\): check ATRIUM_DATABASE\n$/)
  })

  for (const command of ['serve', 'migrate', 'token list']) {
    it(`is a folder, says \`atrium ${command}\``, async () => {
      const { code, stderr } = await atrium({ ATRIUM_DATABASE: `sqlite:${folder}` }, ...words(command))
      assert.equal(code, 1)
      assert.match(stderr, /^atrium: the database cannot be opened \(EISDIR.*\): check ATRIUM_DATABASE\n$/)
    })
  }
})

describe('a PostgreSQL that refuses', () => {
  for (const { when, change, says } of [
    { when: 'the database', change: { pathname: '/nowhere' }, says: /database "nowhere" does not exist/ },
    { when: 'the user', change: { username: 'nobody', password: 'hunter2' }, says: /user "nobody"/ },
  ]) {
    it(`${when} is named, with the setting to look at`, async () => {
      const url = new URL(process.env.ATRIUM_TEST_POSTGRES ?? '')
      Object.assign(url, change)
      const { code, stderr } = await atrium({ ATRIUM_DATABASE: url.href }, 'partner', 'list')
      assert.equal(code, 1)
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: the database cannot be used \([^\n]+\): check ATRIUM_DATABASE\n$/)
    })
  }
})

for (const engine of engines) {
  describe(`migrations on ${engine}`, () => {
    let database: FreshDatabase
    const run = (...args: string[]) => inTurn({ ATRIUM_DATABASE: database.url }, ...args)
    before(async () => {
      database = await freshDatabase(engine)
      await openDatabase(database.url).close()
    })
    after(() => database.drop())

    for (const command of needEstate) {
      it(`\`atrium ${command}\` before \`atrium migrate\` says so`, async () => {
        const { code, stderr } = await run(...words(command))
        assert.equal(code, 1)
        assert.match(stderr, /^atrium: .*`atrium migrate`.*\n$/)
      })
    }

    it('migrate sets the database up, and a second time changes nothing', async () => {
      assert.deepEqual(JSON.parse((await run('migrate', '--json')).stdout).applied.slice(0, 1), ['0001-estate'])
      assert.match((await run('migrate')).stdout, /^The database is up to date \(\d{4}-[\w-]+\)\.\n$/)
      assert.deepEqual(JSON.parse((await run('migrate', '--json')).stdout).applied, [])
      assert.match((await run('token', 'list')).stdout, /No tokens yet/)
      assert.match((await run('partner', 'list')).stdout, /No partners yet. Add them with `atrium apply FILE`/)
    })

    it('a database of a newer version is not changed', async () => {
      const db = openDatabase(database.url)
      await db.write((tx) => sql`insert into atrium_migration values ('9999-later', '2030-01-01')`.execute(tx.query))
      await db.close()
      for (const command of ['token list', 'migrate', 'serve']) {
        const { code, stderr } = await run(...words(command))
        assert.equal(code, 1)
        assert.match(stderr, /^atrium: .*created by a newer version of Atrium \(9999-later\).*\n$/)
      }
    })
  })
}
