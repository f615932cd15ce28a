import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Import, importsOf } from './imports.ts'
import { type SourceFile, sourceFiles } from './source.ts'

interface Row {
  /** Folders and files of src, and packages; `node:*` allows all built-in modules, `node:net (isIP)` only that name. */
  imports: string[]
  /** Modules of which only types may be imported; these imports disappear at run time. */
  types?: string[]
}

/** The allowed imports. The longest path that matches a file is its row; a row always allows its own folder. */
const table: Record<string, Row> = {
  'src/domain': {
    imports: [
      'ajv',
      'ajv-formats',
      'node:crypto',
      'node:module (createRequire)',
      'node:vm (createContext, Script)',
      'node:util (isDeepStrictEqual)',
      'node:zlib',
      'node:net (BlockList, isIP)',
    ],
  },
  'src/cache': {
    imports: [
      'src/domain/maybe.ts',
      'src/domain/representation.ts',
      'src/domain/text.ts',
      'node:timers/promises (setImmediate as nextTurn)',
    ],
  },
  'src/storage': {
    imports: ['src/domain', 'src/cache', 'kysely', 'node:timers/promises (setImmediate as nextTurn)'],
  },
  'src/storage/statement.ts': {
    imports: ['src/domain/maybe.ts', 'node:crypto (createHash)'],
    types: ['src/domain/bytes.ts'],
  },
  'src/storage/sqlite': {
    imports: [
      'src/storage/engine.ts',
      'src/storage/migrations/frozen/sqlite.ts',
      'src/storage/statement.ts',
      'kysely',
      'node:*',
    ],
    types: ['src/storage/tables.ts'],
  },
  'src/storage/postgres': {
    imports: [
      'src/domain/bytes.ts',
      'src/storage/engine.ts',
      'src/storage/migrations/frozen/postgres.ts',
      'src/storage/statement.ts',
      'kysely',
      'node:timers/promises (setImmediate as nextTurn, setTimeout as sleep)',
      'pg',
    ],
    types: ['src/storage/tables.ts', 'node:net'],
  },
  'src/storage/migrations': { imports: ['kysely'] },
  'src/storage/migrations/frozen/exact-json.ts': { imports: ['node:crypto (randomUUID)'] },
  'src/operations': {
    imports: ['src/domain', 'src/storage', 'node:crypto (hash)', 'node:timers/promises'],
    types: ['src/cache'],
  },
  'src/operations/run-in-thread.ts': { imports: ['node:events', 'node:worker_threads'] },
  'src/backup': { imports: ['src/domain', 'node:*'] },
  'src/estate': { imports: ['src/domain', 'yaml', 'node:*'] },
  'src/http': {
    imports: [
      'src/domain',
      'src/operations',
      'src/config.ts',
      'find-my-way',
      'pino',
      '@prometheus-io/client',
      'node:*',
    ],
    types: ['src/cache', 'src/config', 'src/storage'],
  },
  'src/http/adapters': {
    imports: ['src/http/pipeline', 'src/http/clock.ts', 'src/domain/refusal.ts', 'node:*'],
    types: ['src/config.ts', 'src/http/draining.ts'],
  },
  'src/http/cms': {
    imports: ['src/http', 'src/domain', 'src/operations', 'src/estate', 'src/version.ts', 'node:buffer (isUtf8)'],
    types: ['src/config.ts', 'src/storage', 'node:http'],
  },
  'src/http/cms/estate/estate-worker.ts': {
    imports: ['src/domain/estate.ts', 'src/estate', 'node:worker_threads'],
  },
  'src/http/cms/estate/receive-file.ts': {
    imports: ['src/domain/refusal.ts', 'src/estate/temporary.ts', 'src/http/pipeline/body.ts', 'node:*'],
  },
  'src/http/cms/files/database-task.ts': {
    imports: ['src/http/cms/endpoint.ts', 'src/domain/refusal.ts', 'src/estate', 'src/operations', 'node:*'],
  },
  'src/http/cms/files/database-worker.ts': {
    imports: ['src/http/cms/files', 'src/backup', 'src/domain', 'src/operations', 'src/storage/database.ts', 'node:*'],
  },
  'src/http/cms/operators/openid-provider.ts': {
    imports: ['src/domain/refusal.ts', 'openid-client'],
    types: ['src/config.ts', 'src/domain/access/openid.ts'],
  },
  'src/http/site/guides/render.ts': { imports: ['marked'] },
  'src/webhooks': { imports: ['src/domain', 'node:*'] },
  'src/check': { imports: ['src/domain', 'node:crypto (randomUUID)', 'node:util (isDeepStrictEqual)'] },
  'src/takeover': { imports: ['src/domain', 'src/estate', 'node:*'] },
  'src/cli': {
    imports: [
      'src/check',
      'src/takeover',
      'src/domain',
      'src/operations',
      'src/estate',
      'src/backup',
      'src/config.ts',
      'src/config/env-file.ts',
      'src/config/settings.ts',
      'src/app.ts',
      'src/storage/migrate.ts',
      'src/version.ts',
      'commander',
      'node:*',
    ],
    types: ['src/storage'],
  },
  'src/cli/with-database.ts': { imports: ['src/cli', 'src/storage', 'node:*'], types: ['src/config.ts'] },
  'src/cli/doctor': {
    imports: ['src/cli', 'src/storage', 'src/config.ts', 'src/config/settings.ts', 'node:*'],
  },
  'src/cli/workers': {
    imports: ['src/cli', 'src/http/observability/log.ts', 'src/http/observability/metrics.ts', 'node:*'],
    types: ['src/config.ts'],
  },
  'src/config.ts': { imports: ['src/config', 'src/domain'] },
  'src/config': { imports: ['node:fs (readFileSync, statSync)', 'node:path (resolve)', 'node:util (parseEnv)'] },
  'src/jobs.ts': {
    imports: ['src/http/observability/log.ts', 'src/operations'],
    types: ['src/http', 'src/operations'],
  },
  'src/app.ts': {
    imports: [
      'src/backup',
      'src/http',
      'src/operations',
      'src/storage',
      'src/jobs.ts',
      'src/version.ts',
      'src/webhooks',
      'node:timers/promises (setTimeout as sleep)',
    ],
    types: ['src/config.ts', 'src/domain', 'pino', 'node:http'],
  },
  'src/version.ts': { imports: ['node:fs'] },
  'src/main.ts': { imports: ['src/cli'] },
}

function rowOf(path: string): string {
  const fitting = Object.keys(table).filter((row) => isWithin(path, row))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? 'no row'
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

function fits(found: Import, rule: string): boolean {
  const [, what = rule, names] = /^(\S+) \((.+)\)$/.exec(rule) ?? []
  if (names !== undefined) return found.what === what && found.names.every((name) => names.split(', ').includes(name))
  return what === 'node:*' ? found.what.startsWith('node:') : isWithin(found.what, what)
}

function isAllowed(row: string, found: Import): boolean {
  const { imports, types = [] } = table[row] ?? { imports: [] }
  return [row, ...imports, ...(found.onlyTypes ? types : [])].some((rule) => fits(found, rule))
}

function strangers(file: Pick<SourceFile, 'path' | 'text'>): string[] {
  const row = rowOf(file.path)
  return importsOf(file)
    .filter((found) => !isAllowed(row, found))
    .map(({ what, onlyTypes }) => `${file.path} imports ${onlyTypes ? 'types of ' : ''}${what}`)
}

describe('who may import whom', () => {
  const files = sourceFiles('src/**/*.ts')
  for (const [row, { imports, types = [] }] of Object.entries(table)) {
    const title = `${row}: ${imports.join(', ')}${types.length > 0 ? `; types of ${types.join(', ')}` : ''}`
    const members = files.filter(({ path }) => rowOf(path) === row)
    test(title, () => assert.deepEqual(members.flatMap(strangers), []))
    test(`${row} needs what it is allowed`, () => {
      const found = members.flatMap(importsOf)
      assert.deepEqual(
        [...imports, ...types].filter((rule) => !found.some((one) => fits(one, rule))),
        [],
      )
    })
  }

  test('every file has a row', () => {
    assert.deepEqual(
      files.filter(({ path }) => rowOf(path) === 'no row').map(({ path }) => path),
      [],
    )
  })
})

describe('the guard finds what it looks for', () => {
  const rows: [string, string, boolean][] = [
    ['src/domain/x.ts', "import { readFile } from 'node:fs'", false],
    ['src/domain/x.ts', "import { connect } from 'node:net'", false],
    ['src/domain/x.ts', "import { isIP } from 'node:net'", true],
    ['src/domain/x.ts', "import type { Db } from '../storage/database.ts'", false],
    ['src/storage/x.ts', "import pg from 'pg'", false],
    ['src/storage/x.ts', "import { DatabaseSync } from 'node:sqlite'", false],
    ['src/storage/sqlite/x.ts', "import pg from 'pg'", false],
    ['src/storage/sqlite/x.ts', "import { findRoom } from '../area.ts'", false],
    ['src/storage/postgres/x.ts', "import { patiently } from '../sqlite/engine.ts'", false],
    ['src/storage/migrations/x.ts', "import { sql } from 'kysely'", true],
    ['src/storage/migrations/x.ts', "import type { MigrationTx } from './frozen/migration.ts'", true],
    ['src/storage/migrations/x.ts', "import type { Tx } from '../engine.ts'", false],
    ['src/storage/migrations/x.ts', "import { roomJson } from '../../domain/stored-room.ts'", false],
    ['src/cache/x.ts', "import { sql } from 'kysely'", false],
    ['src/cache/x.ts', "import type { Engine } from '../storage/engine.ts'", false],
    ['src/cache/x.ts', "import { permit } from '../domain/permission.ts'", false],
    ['src/storage/x.ts', "import { LruCache } from '../cache/lru-cache.ts'", true],
    ['src/http/x.ts', "import type { Db } from '../storage/database.ts'", true],
    ['src/http/x.ts', "import { type Db, openDatabase } from '../storage/database.ts'", false],
    ['src/http/x.ts', "import {\n  type Db,\n  type Tx,\n} from '../storage/database.ts'", true],
    ['src/http/partner/x.ts', "import * as storage from '../../storage/area.ts'", false],
    ['src/http/x.ts', "export { openDatabase } from '../storage/database.ts'", false],
    ['src/http/x.ts', "const later = await import('../storage/database.ts')", false],
    ['src/operations/x.ts', "import findMyWay from 'find-my-way'", false],
    ['src/operations/x.ts', "import '../http/server.ts'", false],
    ['src/cli/x.ts', "import { listTokens } from '../storage/token.ts'", false],
    ['src/events/x.ts', "import { newId } from '../domain/identifier.ts'", false],
  ]
  for (const [path, text, allowed] of rows) {
    test(`${path}: ${text.replaceAll(/\s+/g, ' ')} is ${allowed ? 'fine' : 'found'}`, () =>
      assert.equal(strangers({ path, text }).length === 0, allowed))
  }
})
