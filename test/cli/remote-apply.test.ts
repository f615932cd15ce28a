import assert from 'node:assert/strict'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, it } from 'node:test'
import { onEachEngine } from '../harness/atrium.ts'
import { command } from '../harness/command.ts'
import { addOperator } from '../harness/operators.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-remote-apply-'))

function fileWith(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** An estate of more than 4 MiB. */
function largeEstate(): string {
  const areas = Array.from({ length: 200 }, (_, at) => ({ id: `${at}`, name: `Room ${at} ${'x'.repeat(200)}` }))
  const facilities = Array.from({ length: 100 }, (_, at) => ({
    id_external: `large-${at}`,
    name: `Large ${at}`,
    areas,
  }))
  return JSON.stringify({ facilities })
}

onEachEngine('apply with --server', {}, (atrium) => {
  let settings: Record<string, string>
  before(async () => {
    settings = { ATRIUM_KEY: (await addOperator(atrium(), 'admin')).key, ATRIUM_SERVER: atrium().url }
  })
  const local = (...args: string[]) => command({ ATRIUM_DATABASE: atrium().databaseUrl }, 'apply', ...args)
  const remote = (...args: string[]) => command(settings, 'apply', ...args)
  const untimed = (text: string) => text.replace(/\(\d+\.\d s\)/, '').replace(/"seconds":[\d.]+/, '')

  const files: [title: string, text: string][] = [
    [
      'changes',
      'facilities:\n  - {id_external: lyon-01, name: Other, type: null}\n  - {id_external: lyon-02, name: New}\n',
    ],
    [
      'a change',
      'facilities:\n  - id_external: lyon-01\n    name: Other\n    areas: [{id: "9001", name: Room 9001}]\n',
    ],
    [
      'grants, an address and a list',
      `partners: [{id: bare, grants: [{facilities: [chu-nord], read: [areas]}]}, {id: ward, grants: []}]
facilities:
  - {id_external: lyon-01, address: {city: Nice}, areas_autocomplete_list: [{id: "2", name: Two}]}\n`,
    ],
    ['faults', 'facilities:\n  - id_external: lyon-01\n    nam: X\n    type: "?"\n'],
    ['a conflict', 'partners:\n  - {id: p-1, name: P, grants: [{facilities: [nowhere]}]}\n'],
    ['another format', '<facilities/>'],
  ]
  for (const [title, text] of files) {
    for (const options of [['--dry-run'], ['--dry-run', '--prune'], ['--dry-run', '--json']]) {
      it(`\`apply ${options.join(' ')}\` of a file with ${title} prints the same as on the database`, async () => {
        const file = fileWith('estate.yaml', text)
        const [on, over] = [await local(file, ...options), await remote(file, ...options)]
        assert.deepEqual([over.code, untimed(over.stdout), over.stderr], [on.code, untimed(on.stdout), on.stderr])
      })
    }
  }

  it('a file of more than 4 MiB is applied, and its differences are all shown', async () => {
    const file = fileWith('large.json', largeEstate())
    assert.ok(statSync(file).size > 4 * 1_048_576)
    const dry = await remote(file, '--dry-run')
    assert.equal(dry.stdout.match(/^\+ area /gm)?.length, 20_000, dry.stderr)
    const { code, stdout } = await remote(file, '--json')
    assert.deepEqual([code, JSON.parse(stdout).changes.areas.created], [0, 20_000])
    assert.equal(JSON.parse((await remote(file, '--json')).stdout).changes.areas.unchanged, 20_000)
    const entries = (await atrium().ask('GET /cms/v1/audit?limit=1', { as: settings.ATRIUM_KEY })).body
    assert.equal(entries[0].actor.name, 'admin@example.com')
  })

  it('a file that does not exist is explained', async () => {
    const { code, stderr } = await remote('/none/estate.yaml')
    assert.deepEqual([code, stderr], [1, 'atrium: cannot read /none/estate.yaml: the file does not exist\n'])
  })
})

onEachEngine('apply with --server and a limit', { settings: { ATRIUM_LIMIT_IMPORT_BYTES: '65536' } }, (atrium) => {
  it('says how large a file may be, although it is sent compressed', async () => {
    const { key } = await addOperator(atrium(), 'admin')
    const file = fileWith('long.yaml', `# ${'x'.repeat(1_000_000)}\nfacilities: []\n`)
    const { code, stderr } = await command({ ATRIUM_KEY: key, ATRIUM_SERVER: atrium().url }, 'apply', file)
    assert.deepEqual([code, stderr], [1, 'atrium: The body must have at most 65536 bytes.\n'])
  })

  it('refuses a body that is not in gzip', async () => {
    const { key } = await addOperator(atrium(), 'admin', 'other')
    const headers = { 'content-type': 'application/yaml', 'content-encoding': 'gzip' }
    const { status, body } = await atrium().ask('POST /cms/v1/import', { as: key, headers, body: 'facilities: []' })
    assert.deepEqual([status, body.code], [415, 'body_type_unsupported'])
  })
})
