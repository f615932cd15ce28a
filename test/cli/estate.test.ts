import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { command } from '../harness/command.ts'
import { engines, type FreshDatabase, freshDatabase } from '../harness/databases.ts'
import { estate as standard } from '../harness/estate.ts'

const launcher = join(import.meta.dirname, '../../bin/atrium.mjs')

for (const engine of engines) {
  describe(`atrium apply and export on ${engine}`, () => {
    let folder: string
    let database: FreshDatabase
    const file = (name: string) => join(folder, name)
    const settings = () => ({ ATRIUM_DATABASE: database.url, TMPDIR: file('tmp') })
    const run = (...args: string[]) => command(settings(), ...args)

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'atrium-estate-'))
      await mkdir(file('tmp'))
      await writeFile(file('standard.json'), JSON.stringify(standard))
      database = await freshDatabase(engine)
    })
    after(async () => {
      await database.drop()
      await rm(folder, { recursive: true })
    })

    it('creates the database, applies the file, and then finds nothing to do', async () => {
      const first = await run('apply', file('standard.json'))
      assert.deepEqual([first.code, first.stderr], [0, ''])
      assert.match(first.stdout, /^\+ facility lyon-01\n\+ area lyon-01-10\n/)
      const summary =
        /facilities: 3 created, 0 updated, 0 removed, 0 unchanged; areas: 8 created, .*; partners: 5 created, .* \(\d+\.\d s\)\n$/
      assert.match(first.stdout, summary)
      const second = await run('apply', file('standard.json'), '--prune', '--json')
      const { seconds, ...rest } = JSON.parse(second.stdout)
      const none = { created: 0, updated: 0, removed: 0 }
      assert.deepEqual(rest, {
        dry_run: false,
        changes: {
          facilities: { ...none, unchanged: 3 },
          areas: { ...none, unchanged: 8 },
          partners: { ...none, unchanged: 5 },
        },
      })
      assert.ok(seconds > 0 && seconds < 60)
    })

    it('--dry-run prints the differences and changes nothing', async () => {
      await writeFile(file('change.yaml'), 'facilities:\n- id_external: lyon-01\n  name: Bellecour\npartners: []\n')
      const { code, stdout } = await run('apply', file('change.yaml'), '--dry-run', '--prune')
      assert.equal(code, 0)
      assert.deepEqual(stdout.split('\n').slice(0, -2), [
        '- facility chu-nord  with 3 areas',
        '- facility nice-02  with 1 area',
        ...['bare', 'everything', 'hotelier', 'stranger', 'ward'].map((id) => `- partner ${id}`),
        '~ facility lyon-01  name: "Hôtel Bellecour" -> "Bellecour"',
      ])
      assert.match(stdout, /\nDry run, nothing was changed. facilities: 0 created, 1 updated, 2 removed, /)
      assert.ok((await run('export')).stdout.includes('Hôtel Bellecour'))
    })

    it('reads standard input', () => {
      const input = 'facilities:\n- id_external: lyon-01\n  areas: [{id: "10", name: Ten}]\n'
      const env = { ...process.env, ...settings() }
      const { status, stdout } = spawnSync(process.execPath, [launcher, 'apply', '-'], { env, input, encoding: 'utf8' })
      assert.deepEqual([status, stdout.split('\n')[0]], [0, '~ area lyon-01-10  name: "Room 10" -> "Ten"'])
    })

    it('reports each fault in one line with its location, and changes nothing', async () => {
      const before = (await run('export')).stdout
      await writeFile(
        file('bad.yaml'),
        'facilities:\n- id_external: lyon-01\n  name: X\n  color: red\n  "\\e[2J\\n": 1\n- id_external: a b\n',
      )
      const checked = await run('apply', file('bad.yaml'))
      assert.deepEqual([checked.code, checked.stdout], [1, ''])
      const [first, second, third, last] = checked.stderr.split('\n')
      assert.ok(first?.startsWith(`${file('bad.yaml')}:4: facilities[0].color: is not a known key; known are id,`))
      assert.ok(
        second?.startsWith(`${file('bad.yaml')}:5: facilities[0].\\u001b[2J\\u000a: is not a known key;`),
        second,
      )
      assert.ok(third?.startsWith(`${file('bad.yaml')}:6: facilities[1].id_external: must be 1 to 64 of `))
      assert.equal(last, 'Nothing was changed: the file has 3 errors')

      await writeFile(
        file('bad.json'),
        '{"facilities": [{"id_external": "lyon-01", "name": "X"},\n{"id_external": "b"}]}',
      )
      const met = await run('apply', file('bad.json'), '--json')
      assert.deepEqual(met, {
        code: 1,
        stdout: '',
        stderr: `${file('bad.json')}:2: facility b: it is new and needs a name\nNothing was changed: the file has 1 error\n`,
      })
      assert.equal((await run('export')).stdout, before)
    })

    it('reports a file that cannot be read', async () => {
      const rows: [string, string][] = [
        [file('none.yaml'), `atrium: cannot read ${file('none.yaml')}: the file does not exist\n`],
        [folder, `atrium: cannot read ${folder}: it is a folder, not a file\n`],
      ]
      for (const [path, stderr] of rows) assert.deepEqual(await run('apply', path), { code: 1, stdout: '', stderr })
      await writeFile(file('latin1.yaml'), Buffer.from('facilities:\n- id_external: a\n  name: H\xf4tel\n', 'latin1'))
      const { code, stderr } = await run('apply', file('latin1.yaml'))
      assert.deepEqual(
        [code, stderr.split('\n')[0]],
        [1, `${file('latin1.yaml')}:3: this line is not UTF-8 text: save the file as UTF-8`],
      )
    })

    it('exports to a file that appears when it is complete', async () => {
      assert.deepEqual(await run('export', '--output', file('out.yaml')), { code: 0, stdout: '', stderr: '' })
      const { stdout: json } = await run('export', '--json')
      assert.deepEqual(parse(await readFile(file('out.yaml'), 'utf8')), JSON.parse(json))
      assert.match(
        (await run('apply', file('out.yaml'), '--prune')).stdout,
        /^facilities: 0 created, 0 updated, 0 removed, 3 unchanged;/,
      )
      const { code, stderr } = await run('export', '--output', join(file('nowhere'), 'out.yaml'))
      assert.equal(code, 1)
      assert.match(stderr, /^atrium: cannot write .*out\.yaml: .*\n$/)
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.includes('partial')),
        [],
      )
    })

    it('leaves no temporary file', async () => {
      assert.deepEqual(await readdir(file('tmp')), [])
    })
  })
}

it('a file with an error creates no database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-estate-'))
  try {
    await writeFile(join(folder, 'bad.yaml'), 'facilities: {}\n')
    const path = join(folder, 'atrium.db')
    assert.equal((await command({ ATRIUM_DATABASE: `sqlite:${path}` }, 'apply', join(folder, 'bad.yaml'))).code, 1)
    assert.equal(existsSync(path), false)
  } finally {
    await rm(folder, { recursive: true })
  }
})
