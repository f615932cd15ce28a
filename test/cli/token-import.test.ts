import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { command } from '../harness/command.ts'
import { engines } from '../harness/databases.ts'
import { estate } from '../harness/estate.ts'
import { type OwnDatabase, ownDatabase } from '../harness/own-database.ts'
import { seed } from '../harness/seed.ts'

const root = join(import.meta.dirname, '../..')
const atrium = `"${process.execPath}" bin/atrium.mjs token import ward --name tills --sha256-stdin`

for (const engine of engines) {
  describe(`atrium token import on ${engine}`, () => {
    let own: OwnDatabase
    before(async () => {
      own = await ownDatabase(engine)
      await seed(own.db, estate)
    })
    after(() => own.end())
    const shell = (line: string) => {
      const env = { ...process.env, ATRIUM_DATABASE: own.url, TOKEN: 'opaque-secret-of-the-old-installation' }
      return promisify(execFile)('bash', ['-c', line], { cwd: root, env })
    }

    test('takes the output of sha256sum, and the token is listed as imported', async () => {
      const { stdout } = await shell(`printf %s "$TOKEN" | sha256sum | ${atrium}`)
      assert.match(stdout, /^Imported as token \w{8} \(tills\) of ward; rotate it by \d{4}-.+Z\.\n$/)
      const list = await command({ ATRIUM_DATABASE: own.url }, 'token', 'list', 'ward')
      assert.match(list.stdout, / tills +active, imported /)
    })

    for (const [what, line, message] of [
      [
        'a token that is imported already',
        `printf %s "$TOKEN" | sha256sum | ${atrium}`,
        /Token \w{8} of ward has this hash/,
      ],
      ['the token itself, without repeating it', `printf %s "$TOKEN" | ${atrium}`, /must hold a SHA-256/],
      ['an empty input', `true | ${atrium}`, /must hold a SHA-256/],
    ] as const) {
      test(`refuses ${what}`, async () => {
        const failure = await shell(line).then(
          () => assert.fail('it was imported'),
          (error) => error,
        )
        assert.equal(failure.code, 1)
        assert.match(failure.stderr, message)
        assert.doesNotMatch(failure.stderr, /opaque/)
      })
    }
  })
}
