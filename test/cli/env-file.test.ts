import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withEnvFile } from '../../src/config/env-file.ts'
import { atrium, command, serve } from '../harness/command.ts'

function folderWith(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-env-'))
  writeFileSync(join(folder, '.env'), text, { mode })
  chmodSync(join(folder, '.env'), mode)
  return folder
}

describe('the file .env', () => {
  const read: [title: string, text: string, env: Record<string, string>, expected: Record<string, string>][] = [
    ['adds settings', 'ATRIUM_PORT=1\n# a comment\n\n', {}, { ATRIUM_PORT: '1' }],
    ['gives way to the environment', 'ATRIUM_PORT=1\n', { ATRIUM_PORT: '2' }, { ATRIUM_PORT: '2' }],
    ['gives way to an empty value', 'ATRIUM_PORT=1\n', { ATRIUM_PORT: '' }, { ATRIUM_PORT: '' }],
    [
      'gives way to the file of a secret',
      'ATRIUM_DATABASE=sqlite:x\n',
      { ATRIUM_DATABASE_FILE: '/run/x' },
      { ATRIUM_DATABASE_FILE: '/run/x' },
    ],
    [
      'gives way to a secret with its file',
      'ATRIUM_DATABASE_FILE=/run/x\n',
      { ATRIUM_DATABASE: 'sqlite:x' },
      { ATRIUM_DATABASE: 'sqlite:x' },
    ],
    [
      'takes quotes, exports and comments, with line breaks of Windows',
      'export ATRIUM_PORT = 1 # one\r\nATRIUM_LOG="warn"\r\n  ATRIUM_OIDC_NAME=\'two\r\nlines\'',
      {},
      { ATRIUM_PORT: '1', ATRIUM_LOG: 'warn', ATRIUM_OIDC_NAME: 'two\nlines' },
    ],
  ]
  for (const [title, text, env, expected] of read) {
    it(title, () => assert.deepEqual(withEnvFile(env, folderWith(text)).env, expected))
  }

  it('need not be there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-env-'))
    assert.deepEqual(withEnvFile({ A: '1' }, folder).env, { A: '1' })
    mkdirSync(join(folder, '.env'))
    assert.deepEqual(withEnvFile({ A: '1' }, folder).env, { A: '1' })
  })

  it('is not read with ATRIUM_ENV_FILE=off', () => {
    const env = { ATRIUM_ENV_FILE: 'off' }
    assert.deepEqual(withEnvFile(env, folderWith('nonsense\n')).env, env)
  })

  for (const [title, text, line] of [
    ['a word', 'ATRIUM_PORT=1\nhunter2\n', 2],
    ['a colon', '# one\n\nATRIUM_PORT: hunter2', 3],
    ['a minus in a name', 'A="x\ny"\nATRIUM-PORT=hunter2\nB=1\n', 3],
  ] as const) {
    it(`names the line with ${title}`, async () => {
      const file = join(folderWith(text), '.env')
      const { code, stdout, stderr } = await command({ ATRIUM_ENV_FILE: file }, 'doctor')
      assert.deepEqual([code, stdout], [1, ''])
      assert.equal(stderr, `atrium: ${file}:${line}: a line must be NAME=value, or a comment after #\n`)
    })
  }

  it('must exist if ATRIUM_ENV_FILE names it', async () => {
    const { code, stderr } = await command({ ATRIUM_ENV_FILE: '/none/.env' }, 'doctor')
    assert.equal(code, 1)
    assert.match(stderr, /^atrium: \/none\/\.env cannot be read \(ENOENT\): correct it, or set ATRIUM_ENV_FILE/)
  })

  const warned: [title: string, text: string, mode: number, warns: boolean][] = [
    ['a secret that others can read', 'ATRIUM_OIDC_CLIENT_SECRET=hunter2\n', 0o644, true],
    ['a password in a URL that others can read', 'ATRIUM_DATABASE=postgres://a:hunter2@db/x\n', 0o604, true],
    ['a secret that only the group can read', 'ATRIUM_OIDC_CLIENT_SECRET=hunter2\n', 0o640, false],
    ['a URL without a password', 'ATRIUM_DATABASE=postgres://a@db/x\n', 0o644, false],
    ['no secret', 'ATRIUM_PORT=8080\n', 0o644, false],
  ]
  for (const [title, text, mode, warns] of warned) {
    it(`${warns ? 'causes a warning' : 'is accepted'} with ${title}`, () => {
      const [warning = ''] = withEnvFile({}, folderWith(text, mode)).warnings
      assert.equal(/^other users of this machine can read \w+ in \S+: run `chmod 600 \S+`$/.test(warning), warns)
      assert.doesNotMatch(warning, /hunter2/)
    })
  }

  for (const [text, name] of [
    ['ATRIUM_PORT=80 # a port\nATRIUM_KEY=hunt#er2\n', 'ATRIUM_KEY'],
    ['export ATRIUM_OIDC_CLIENT_SECRET = #hunter2\nA=#hunter2', 'A'],
    ['A="hunt#er2" # quoted\nB=\'x\nC=hunt#er2\'\nD= # none\n', undefined],
  ] as const) {
    it(`${name === undefined ? 'is read as a whole' : 'causes a warning'} with ${JSON.stringify(text)}`, () => {
      const { warnings } = withEnvFile({}, folderWith(text))
      const names = warnings.map((warning) => /^the value of (\w+) in \S+ ends before its #/.exec(warning)?.[1])
      assert.deepEqual(names, name === undefined ? [] : [name])
      assert.doesNotMatch(warnings.join(), /hunt/)
    })
  }

  it('is read by a server and its workers, which warns once', async () => {
    const database = `sqlite:${join(mkdtempSync(join(tmpdir(), 'atrium-env-')), 'atrium.db')}`
    const text = `ATRIUM_DATABASE=${database}\nOTEL_EXPORTER_OTLP_HEADERS=a=hunter2\n`
    const file = join(folderWith(text, 0o644), '.env')
    const server = await serve({ ATRIUM_ENV_FILE: file }, '--workers', '2')
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    assert.equal(await server.stop(), 0)
    assert.equal(server.printed().split('other users of this machine can read').length, 2)
  })

  it('does not disturb `atrium --help`', async () => {
    const file = join(folderWith('nonsense'), '.env')
    assert.equal((await atrium({ ATRIUM_ENV_FILE: file }, '--help')).code, 0)
  })
})
