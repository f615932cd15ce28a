import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, describe, test } from 'node:test'
import { packedFolder } from '../../bin/program.mjs'
import { atriumVersion } from '../../src/version.ts'
import { atriumIn } from '../harness/command.ts'

const root = join(import.meta.dirname, '../..')
const packed = packedFolder(root)
const ownVersion = `atrium ${atriumVersion()}\n`
const copies: string[] = []

/** An installation whose bundle identifies itself. */
function install(): string {
  const copy = mkdtempSync(join(tmpdir(), 'atrium-packed-'))
  copies.push(copy)
  for (const part of ['bin', 'src', 'package.json', 'package-lock.json', relative(root, packed)]) {
    cpSync(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const main = join(copy, relative(root, packed), 'main.js')
  writeFileSync(main, `process.stdout.write('packed ')\n${readFileSync(main, 'utf8')}`)
  return copy
}

async function versionIn(copy: string, settings = {}): Promise<string> {
  const { code, stdout, stderr } = await atriumIn(copy, settings, '--version')
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}

describe('the packed program', () => {
  after(() => copies.forEach((copy) => void rmSync(copy, { recursive: true, force: true })))

  test('runs for the sources that it was built from', async () => {
    assert.equal(await versionIn(install(), { NODE_V8_COVERAGE: '' }), `packed ${ownVersion}`)
  })

  test('is ignored when a source has changed, even if its size has not', async () => {
    const copy = install()
    utimesSync(join(copy, 'src/version.ts'), new Date(), new Date())
    assert.equal(await versionIn(copy), ownVersion)
  })

  test('is ignored when a source was added', async () => {
    const copy = install()
    appendFileSync(join(copy, 'src/new.ts'), '')
    assert.equal(await versionIn(copy), ownVersion)
  })

  test('is ignored when the packages have changed', async () => {
    const copy = install()
    appendFileSync(join(copy, 'package-lock.json'), '\n')
    assert.equal(await versionIn(copy), ownVersion)
  })

  test('is optional', async () => {
    const copy = install()
    rmSync(join(copy, 'dist'), { recursive: true })
    assert.equal(await versionIn(copy), ownVersion)
  })

  test('is ignored when coverage is measured', async () => {
    const copy = install()
    assert.equal(await versionIn(copy, { NODE_V8_COVERAGE: join(copy, 'coverage') }), ownVersion)
  })

  test('contains all worker threads', () => {
    const threads = globSync('**/*worker.{ts,mjs}', { cwd: join(root, 'src') }).filter(
      (file) => !file.startsWith('cli/workers/'),
    )
    const names = threads.map((file) => `${file.replace(/\.\w+$/, '').replaceAll('/', '-')}.js`)
    assert.ok(names.length > 0)
    assert.deepEqual(globSync('*-worker.js', { cwd: packed }).toSorted(), names.toSorted())
  })
})
