import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { afternoon, expected } from './afternoon.ts'
import { believed, letter, postRoom } from './post-room.ts'

const root = join(import.meta.dirname, '../..')
const maxGzippedBytes = 8192
const maxVerifierBytes = 1536
const folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
let atrium: TestAtrium
let pages: Server
let pagesUrl: string
let bundle: string

before(async () => {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'client', '--outDir', folder], {
    cwd: root,
  })
  bundle = await bundled(join(folder, 'index.js'))
  pages = createServer((request, response) => {
    const type = request.url === '/client.js' ? 'text/javascript' : 'text/html'
    response.setHeader('content-type', `${type}; charset=utf-8`).end(request.url === '/client.js' ? bundle : '<title>x')
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  atrium = await startAtrium('sqlite', { settings: { ATRIUM_CORS_ORIGINS: pagesUrl } })
})
after(async () => {
  pages.close()
  await atrium.stop()
  rmSync(folder, { recursive: true })
})

/** Bundles the client into one file with tree shaking, as for a web page. */
async function bundled(entry: string): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, lib: { entry, formats: ['es'] } },
  })
  const [first] = [made].flat()
  assert.ok(first !== undefined && 'output' in first)
  return first.output[0].code
}

/** Installed on demand. */
function nodeOf(version: string): string {
  if (process.versions.node.startsWith(version)) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(root, 'node_modules/.cache/atrium-tests', `node-${version}`)
  const program = join(prefix, 'node_modules', name, 'bin/node')
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  if (!existsSync(program)) execFileSync('npm', ['install', '--prefix', prefix, ...flags, `${name}@${version}`])
  return program
}

const script = `${afternoon}
${postRoom}
const [client, url, token, letter] = process.argv.slice(1)
const { Atrium, verifyWebhook } = await import(client)
const done = [await afternoon(Atrium, url, token), await postRoom(verifyWebhook, JSON.parse(letter))]
console.log(JSON.stringify(done))`

for (const version of ['20.20.2', '22.23.3', '24.']) {
  test(`the client works on Node ${version.split('.')[0]}`, async () => {
    const args = [join(folder, 'index.js'), atrium.url, atrium.tokens.ward ?? '', JSON.stringify(letter())]
    const { stdout } = await promisify(execFile)(nodeOf(version), ['--input-type=module', '-e', script, ...args])
    assert.deepEqual(JSON.parse(stdout), [expected, believed])
  })
}

test('the client works in a browser, from a page of another origin', async () => {
  const browser = await startChromium()
  try {
    const page = await browser.newPage()
    await page.goto(pagesUrl)
    const token = JSON.stringify(atrium.tokens.ward)
    const work = `(async () => (${afternoon})((await import('/client.js')).Atrium, '${atrium.url}', ${token}))()`
    assert.deepEqual(await page.evaluate(work), expected)
    const post = `(async () => (${postRoom})((await import('/client.js')).verifyWebhook, ${JSON.stringify(letter())}))()`
    assert.deepEqual(await page.evaluate(post), believed)
  } finally {
    await browser.close()
  }
})

function assertSmall(t: TestContext, code: string, atMost: number): void {
  const bytes = gzipSync(code, { level: 9 }).length
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes < atMost, `${bytes} bytes`)
}

test(`the client is under ${maxGzippedBytes} bytes, gzipped`, (t) => assertSmall(t, bundle, maxGzippedBytes))

test(`verifying webhooks alone takes under ${maxVerifierBytes} bytes, gzipped`, async (t) => {
  const entry = join(folder, 'verifies.js')
  writeFileSync(entry, "export { verifyWebhook } from './index.js'\n")
  const code = await bundled(entry)
  assert.match(code, /webhook-/)
  assertSmall(t, code, maxVerifierBytes)
})
