import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openBackup, saveBackup } from '../../src/backup/file.ts'
import type { Backup, BackupPart } from '../../src/domain/backup.ts'
import { atrium } from '../harness/command.ts'

const table = { name: 'token', columns: ['id', 'count', 'note'] }
const rows = Array.from({ length: 600 }, (_, n) => [`${n}`, n, n % 3 === 0 ? null : 'é "\\ \u2028 🛏'.repeat(n)])
const header = { createdAt: '2027-01-31T00:00:00.000Z', engine: 'any', schema: ['0001-estate'] }
const parts: BackupPart[] = [
  { table: { name: 'counter', columns: ['name', 'value'] }, rows: [] },
  { table, rows: rows.slice(0, 200) },
  { table, rows: rows.slice(200) },
]

function backupOf(counts: Record<string, number>, given = parts, each = () => {}): Backup {
  async function* all(): AsyncGenerator<BackupPart> {
    for (const part of given) {
      each()
      yield part
    }
  }
  return { header, counts, parts: all }
}

const whole = backupOf({ counter: 0, token: 600 })
const nothing = () => {}
const steps = (signal = new AbortController().signal) => ({ writing: nothing, checking: nothing, signal })

describe('the backup file', () => {
  let folder: string
  let bytes: Buffer
  const file = (name: string) => join(folder, name)
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-backup-'))
    await saveBackup(file('whole.gz'), whole, steps())
    bytes = await readFile(file('whole.gz'))
  })
  after(() => rm(folder, { recursive: true }))

  test('returns what was written, in batches, and more than once', async () => {
    const { header: read, counts, parts: again } = await openBackup(file('whole.gz'), nothing)
    assert.deepEqual([read, counts], [header, whole.counts])
    for (const _time of [1, 2]) {
      const found = await Array.fromAsync(again())
      assert.deepEqual(
        found.filter((part) => part.table.name === 'token').flatMap((part) => part.rows),
        rows,
      )
      assert.deepEqual(found[0], parts[0])
      assert.ok(found.every((part) => part.rows.length <= 256))
    }
  })

  test('reports its progress', async () => {
    const seen: number[] = []
    const progress = (part: number) => void seen.push(part)
    await saveBackup(file('again.gz'), whole, { ...steps(), writing: progress, checking: progress })
    assert.deepEqual([seen.at(-1), seen.every((part) => part >= 0 && part <= 1)], [1, true])
  })

  test('is deleted when rows are missing in it', async () => {
    const fewer = backupOf({ counter: 0, token: 601 })
    await assert.rejects(saveBackup(file('fewer.gz'), fewer, steps()), /not what was read from the database/)
    assert.deepEqual(existsSync(file('fewer.gz')), false)
  })

  test('leaves nothing behind when it is interrupted or fails', async () => {
    const interruption = new AbortController()
    const interrupted = backupOf(whole.counts, parts, () => interruption.abort())
    await assert.rejects(saveBackup(file('half.gz'), interrupted, steps(interruption.signal)), { name: 'AbortError' })
    const failing = backupOf(whole.counts, parts, () => {
      throw new Error('the database is gone')
    })
    await assert.rejects(saveBackup(file('half.gz'), failing, steps()), /the database is gone/)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('half')),
      [],
    )
  })

  const lines = () => gunzipSync(bytes).toString().trimEnd().split('\n')
  const packed = (changed: string[]) => gzipSync(`${changed.join('\n')}\n`)
  const withHeader = (change: object) => [
    JSON.stringify({ ...JSON.parse(lines()[0] ?? ''), ...change }),
    ...lines().slice(1),
  ]
  const wrong: [when: string, says: RegExp, make: () => Buffer][] = [
    ['empty', /cut off/, () => Buffer.alloc(0)],
    ['cut off in the middle', /cut off/, () => bytes.subarray(0, bytes.length / 2)],
    ['without its last byte', /cut off/, () => bytes.subarray(0, -1)],
    ['with a row less', /damaged/, () => packed(lines().toSpliced(4, 1))],
    ['with a row too many', /damaged/, () => packed(lines().toSpliced(4, 0, '["x",1,null]'))],
    ['with a row that is too short', /damaged/, () => packed(lines().toSpliced(4, 1, '[1]'))],
    ['with a row that is no row', /damaged/, () => packed(lines().toSpliced(4, 1, '["x",1,{}]'))],
    [
      'with two rows the other way round',
      /damaged/,
      () => packed(lines().toSpliced(4, 2, ...lines().slice(4, 6).reverse())),
    ],
    ['with a line that is no JSON', /damaged/, () => packed(lines().toSpliced(4, 1, '["x"'))],
    ['without its last line', /cut off/, () => packed(lines().slice(0, -1))],
    ['without the end of its last line', /damaged/, () => gzipSync(lines().join('\n'))],
    ['with something behind its end', /damaged/, () => packed([...lines(), '{}'])],
    ['a letter', /not a backup made by Atrium/, () => Buffer.from('Dear Sir or Madam, this is a letter.')],
    ['other lines of JSON', /not a backup made by Atrium/, () => packed(['{"name":"x"}'])],
    ['of a newer format', /newer version of Atrium \(format 2\)/, () => packed(withHeader({ atrium_backup: 2 }))],
  ]
  for (const [when, says, make] of wrong) {
    test(`${when} is refused`, async () => {
      await writeFile(file('wrong.gz'), make())
      await assert.rejects(openBackup(file('wrong.gz'), nothing), says)
    })
  }

  test('with any one byte changed is refused, or has the same content', async () => {
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 100)) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] as number) ^ 0x55
      await writeFile(file('changed.gz'), changed)
      const found = await openBackup(file('changed.gz'), nothing).then(
        ({ parts: read }) => Array.fromAsync(read()),
        () => undefined,
      )
      if (found !== undefined)
        assert.deepEqual(
          found.flatMap((part) => part.rows),
          rows,
          `byte ${at}`,
        )
    }
  })

  test('is refused by the command before a database is made', async () => {
    const later = withHeader({ schema: ['9999-later'] }).slice(0, -1)
    const sha256 = createHash('sha256')
      .update(`${later.join('\n')}\n`)
      .digest('hex')
    await writeFile(file('later.gz'), packed([...later, JSON.stringify({ rows: whole.counts, sha256 })]))
    await writeFile(file('short.gz'), bytes.subarray(0, -1))
    for (const [name, says] of [
      ['later.gz', /cannot restore .*later\.gz: it was created by a newer version of Atrium \(9999-later\)/],
      ['short.gz', /cannot restore .*short\.gz: it is cut off/],
      ['none.gz', /cannot read .*none\.gz: the file does not exist/],
      ['', /cannot read .*: it is a folder/],
    ] as const) {
      const { code, stdout, stderr } = await atrium(
        { ATRIUM_DATABASE: `sqlite:${file('data/a.db')}` },
        'restore',
        file(name),
      )
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, says)
      assert.match(stderr, /^atrium: [^\n]+\n$/)
      assert.equal(existsSync(file('data')), false)
    }
  })
})
