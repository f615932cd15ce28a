import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { downloadsBuild } from '../../tools/downloads.ts'
import { buildStale } from '../../tools/stale.ts'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { connectTo } from '../harness/connection.ts'

describe('the downloads', () => {
  let atrium: TestAtrium
  let published: TestAtrium
  const folder = mkdtempSync(join(tmpdir(), 'atrium-downloads-'))
  before(async () => {
    await buildStale(downloadsBuild)
    atrium = await startAtrium('sqlite')
    published = await startAtrium('sqlite', { settings: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
  })
  after(async () => {
    await Promise.all([atrium.stop(), published.stop()])
    rmSync(folder, { recursive: true })
  })

  const save = async (name: string) => {
    const response = await fetch(`${atrium.url}/downloads/${name}`)
    assert.equal(response.status, 200)
    const file = join(folder, name)
    writeFileSync(file, Buffer.from(await response.arrayBuffer()))
    return file
  }

  test('have a page that names each of them with this address, without a token', async () => {
    const { status, text, headers } = await atrium.ask('GET /downloads')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.ok(text.includes(`node check.mjs --base-url ${atrium.url}`))
    const names = Array.from(text.matchAll(/href="(\/downloads\/[^"]+)"/g), ([, path]) => path)
    assert.equal(names.length, 6)
    for (const path of names) assert.equal((await atrium.ask(`GET ${path}`)).status, 200, path)
  })

  test('name the public address where one is set', async () => {
    const { body } = await published.ask('GET /downloads/atrium.postman_collection.json')
    const variable = body.variable.find(({ key }: { key: string }) => key === 'base_url')
    assert.equal(variable.value, 'https://atrium.example')
    assert.deepEqual((await published.ask('GET /downloads/openapi.json')).body.servers, [
      { url: 'https://atrium.example' },
    ])
    assert.ok((await published.ask('GET /downloads')).text.includes('https://atrium.example/downloads'))
  })

  test('put no text of a request into a page', async () => {
    for (const host of ['a"><script>', 'a b', 'a/b', 'user@host', "a'", 'a:123456']) {
      const connection = await connectTo(atrium.url)
      connection.send(`GET /downloads HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      const answer = await connection.answer()
      connection.close()
      assert.equal(answer?.status, 400, host)
      assert.ok(!answer?.body.toString().includes(host), host)
    }
  })

  test('have a collection for Bruno that unpacks', async () => {
    execFileSync('tar', ['xzf', await save('atrium-bruno.tar.gz'), '-C', folder])
    const environment = readFileSync(join(folder, 'atrium-bruno/environments/demo.bru'), 'utf8')
    assert.ok(environment.includes(`base_url: ${atrium.url}\n`))
    const written = readFileSync('collections/bruno/Token/Get the permissions of this token.bru', 'utf8')
    assert.equal(
      readFileSync(join(folder, 'atrium-bruno/Token/Get the permissions of this token.bru'), 'utf8'),
      written,
    )
  })

  test('have the examples, which unpack', async () => {
    execFileSync('tar', ['xzf', await save('atrium-examples.tar.gz'), '-C', folder])
    for (const path of ['python/stay.py', 'php/webhook.php', 'java/Json.java', 'csharp/Receiver.cs']) {
      assert.equal(
        readFileSync(join(folder, 'atrium-examples', path), 'utf8'),
        readFileSync(`examples/${path}`, 'utf8'),
      )
    }
    const readme = readFileSync(join(folder, 'atrium-examples/README.md'), 'utf8')
    assert.deepEqual(brokenLinks(readme, join(folder, 'atrium-examples')), [])
    assert.ok(readme.includes('legacy body (`/docs/guides/legacy-body` of your installation)'))
  })

  test('have a program that tests an installation and needs only Node', async () => {
    const file = await save('check.mjs')
    // Asynchronous: this process is the server.
    const check = (...args: string[]) =>
      promisify(execFile)(process.execPath, [file, ...args], { cwd: folder }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
        ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
      )
    const kept = await check('--base-url', atrium.url, '--token', atrium.tokens.everything ?? '', '--json')
    assert.equal(kept.code, 0, kept.stdout + kept.stderr)
    assert.equal(JSON.parse(kept.stdout).ok, true)
    const { code, stderr } = await check('--base-url', atrium.url)
    assert.deepEqual([code, stderr.split('\n').length], [2, 2], stderr)
  })

  test('have the client as a package', async () => {
    execFileSync('tar', ['xzf', await save('atrium-client.tgz'), '-C', folder])
    const unpacked = join(folder, 'package')
    for (const name of ['package.json', 'dist/index.js', 'dist/index.d.ts']) assert.ok(existsSync(join(unpacked, name)))
    const readme = readFileSync(join(unpacked, 'README.md'), 'utf8')
    assert.deepEqual(brokenLinks(readme, unpacked), [])
    const guides = Array.from(readme.matchAll(/`(\/docs\/guides\/[^`#]+)/g), ([, path]) => path)
    assert.ok(guides.length > 0)
    for (const path of guides) assert.equal((await atrium.ask(`GET ${path}`)).status, 200, path)
  })
})

/** Returns the links of a page that lead to no file of its folder. */
function brokenLinks(page: string, folder: string): string[] {
  const links = Array.from(page.matchAll(/\]\(([^)#]+)/g), ([, path = '']) => path)
  return links.filter((link) => !/^https?:/.test(link) && !existsSync(join(folder, link)))
}

describe('for language models', () => {
  let atrium: TestAtrium
  before(async () => {
    atrium = await startAtrium('sqlite')
  })
  after(() => atrium.stop())

  test('llms.txt lists documents and guides that are there, as Markdown', async () => {
    const { text, headers } = await atrium.ask('GET /llms.txt')
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    const links = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, path = '']) => path)
    assert.ok(links.length > 20)
    for (const path of links) {
      const response = await atrium.ask(`GET ${path}`)
      assert.equal(response.status, 200, path)
      if (path.endsWith('.md')) assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/)
    }
  })

  test('the Markdown of a guide links only to other guides', async () => {
    const { text } = await atrium.ask('GET /docs/guides/install.md')
    assert.match(text, /^# Install\n/)
    const links = Array.from(text.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, path = '']) => path)
    assert.ok(links.length > 2)
    for (const link of links.filter((path) => !/^https?:/.test(path))) {
      assert.equal((await atrium.ask(`GET /docs/guides/${link}`)).status, 200, link)
    }
  })
})
