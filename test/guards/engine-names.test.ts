import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFiles } from './source.ts'

/** Lines of code outside the two engines' own files that may name one, and why. Comments may name them anywhere. */
const exceptions: Record<string, { lines: number; why: string }> = {
  'src/storage/database.ts': { lines: 6, why: 'imports both, tells their URLs apart and picks one' },
  'src/cli/takeover/guests-file.ts': { lines: 1, why: 'a temporary database, from which the backup is written' },
  'src/config/settings.ts': {
    lines: 2,
    why: 'the default and the help of ATRIUM_DATABASE and ATRIUM_DATABASE_CONNECTIONS',
  },
}
const comment = /^\s*(?:\/\*\*|\/\/|\*)/
const own = /^src\/storage\/((sqlite|postgres)\/|migrations\/frozen\/(sqlite|postgres)\.ts$)/

test('only the files of an engine name it in code', () => {
  const found = sourceFiles('src/**/*.ts')
    .filter(({ path }) => !own.test(path))
    .map(({ path, lines }) => [
      path,
      lines.filter((line) => /sqlite|postgres/i.test(line) && !comment.test(line)).length,
    ])
    .filter(([, count]) => count !== 0)
  const allowed = Object.entries(exceptions).map(([path, { lines }]) => [path, lines])
  assert.deepEqual(Object.fromEntries(found), Object.fromEntries(allowed))
})

test('nothing asks which engine it runs on', () => {
  const asking = sourceFiles('src/**/*.ts').filter(({ text }) =>
    /dialect\s*===|engine(?:Name|Kind)|isSqlite|isPostgres/i.test(text),
  )
  assert.deepEqual(
    asking.map(({ path }) => path),
    [],
  )
})
