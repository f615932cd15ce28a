import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { axeOn } from './browser/console.ts'
import { startAtrium, type TestAtrium } from './harness/atrium.ts'
import { startChromium } from './harness/chromium.ts'

let atrium: TestAtrium
let browser: Browser

before(async () => {
  atrium = await startAtrium('sqlite')
  browser = await startChromium()
})
after(async () => {
  await browser?.close()
  await atrium?.stop()
})

interface Watched {
  page: Page
  /** Requests to other places than this service. */
  outside: string[]
  /** Errors in the browser console, exceptions, and violations of the Content-Security-Policy. */
  complaints: string[]
}

async function open(path: string, options: { width?: number; colorScheme?: 'light' | 'dark' } = {}): Promise<Watched> {
  const { width = 1280, colorScheme = 'light' } = options
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
  const page = await context.newPage()
  const outside: string[] = []
  const complaints: string[] = []
  page.on('request', (sent) => {
    const url = sent.url()
    if (!url.startsWith(`${atrium.url}/`) && !/^(data|blob):/.test(url)) outside.push(url)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(atrium.url + path, { waitUntil: 'load' })
  return { page, outside, complaints }
}

function assertQuiet({ outside, complaints }: Watched): void {
  assert.deepEqual(outside, [], 'requests that left the service')
  assert.deepEqual(complaints, [], 'errors in the browser')
}

describe('the reference', () => {
  for (const [path, heading, width, colorScheme] of [
    ['/docs', 'List the accessible facilities', 1280, 'light'],
    ['/docs/cms', 'Open a room', 390, 'dark'],
  ] as const) {
    test(`${path}: complete and accessible, ${colorScheme}, ${width} pixels wide`, async () => {
      const watched = await open(path, { width, colorScheme })
      const { page } = watched
      await page.getByRole('heading', { level: 3, name: heading, exact: true }).waitFor()
      assert.ok((await widthOf(page)) <= width)
      const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id))
      assert.equal(new Set(ids).size, ids.length, 'two headings have one id')
      const targets = await page.locator('a[href^="#"]').evaluateAll((links) => links.map((link) => link.hash.slice(1)))
      assert.deepEqual(
        targets.filter((target) => !ids.includes(target)),
        [],
      )
      assert.deepEqual(await axeOn(page, { rules: { 'target-size': { enabled: true } } }), [])
      assertQuiet(watched)
      await page.context().close()
    })
  }

  test('is read without scripts, and links each operation to the viewer', async () => {
    const { bytes } = await get('/docs', {})
    assert.doesNotMatch(bytes.toString(), /<script/)
    assert.match(
      bytes.toString(),
      /href="\/docs\/try#tag\/room-services\/POST\/v1\/areas\/{areaExternalId}\/data_services"/,
    )
  })
})

/** The viewer takes seconds to load: each document is opened once, in one size and one theme. */
describe('the viewer', () => {
  let wide: Watched
  before(async () => {
    wide = await open('/docs/try#tag/facilities/GET/v1/facilities/', { width: 1280, colorScheme: 'light' })
  })
  after(() => wide?.page.context().close())

  test('shows the partner API, light, 1280 pixels wide', async () => {
    const { page } = wide
    await page.getByRole('heading', { name: 'List the accessible facilities' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Atrium partner API' }).count(), 1)
    assert.match(await page.title(), /Atrium/)
    assert.ok((await widthOf(page)) <= 1280)
  })

  test('shows the CMS API, dark, 390 pixels wide', async () => {
    const link = '/docs/cms/try#tag/areas/POST/cms/v1/areas/{areaId}/open'
    const watched = await open(link, { width: 390, colorScheme: 'dark' })
    const { page } = watched
    await page.getByRole('heading', { name: 'Open a room' }).waitFor()
    assert.ok((await widthOf(page)) <= 390)
    assertQuiet(watched)
    await page.context().close()
  })

  test('takes a token and tries a call', async () => {
    const { page } = wide
    await page
      .getByPlaceholder('Token')
      .first()
      .fill(atrium.tokens.hotelier ?? '')
    const answered = page.waitForResponse((response) => response.url() === `${atrium.url}/v1/facilities/`)
    await page.getByRole('button', { name: /Test Request.*get \/v1\/facilities\/\)/ }).click()
    const client = page.getByRole('dialog')
    await client.getByRole('button', { name: /^Send get request/ }).click()
    const answer = await answered
    assert.equal(answer.status(), 200)
    assert.match((await answer.request().allHeaders()).authorization ?? '', /^Bearer atr_/)
    await client.getByText('200 OK').waitFor()
    await client.getByText('Hôtel Bellecour').first().waitFor()
    assertQuiet(wide)
    const stored = JSON.stringify(await page.context().storageState({ indexedDB: true }))
    assert.doesNotMatch(stored, /atr_/, 'the token was stored')
  })

  test('could not call elsewhere if it wanted to', async () => {
    const { page, outside, complaints } = wide
    const outcome = await page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'stopped')")
    assert.equal(outcome, 'stopped')
    assert.deepEqual(outside, [])
    assert.match(complaints.join(), /Content Security Policy/)
  })
})

async function widthOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth'))
}

describe('the pages on problems', () => {
  for (const path of ['/problems', '/problems/not_granted']) {
    for (const width of [1280, 390]) {
      test(`${path}, ${width} pixels wide`, async () => {
        const watched = await open(path, { width })
        const { page } = watched
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.ok((await widthOf(page)) <= width)
        assertQuiet(watched)
        await page.context().close()
      })
    }
  }
})

describe('the guides', () => {
  test('are found with the keyboard alone, dark, 390 pixels wide', async () => {
    const watched = await open('/docs/guides', { width: 390, colorScheme: 'dark' })
    const { page } = watched
    await page.keyboard.press('/')
    await page.keyboard.type('Idempotency ROOM')
    const found = page.getByRole('search').getByRole('link')
    await found.filter({ hasText: 'Rooms and cycles: Safe retries' }).waitFor()
    assert.deepEqual(await axeOn(page), [])
    await page.keyboard.press('ArrowDown')
    assert.equal(
      await found.first().evaluate('document.activeElement.getAttribute("href")'),
      await found.first().getAttribute('href'),
    )
    await page.keyboard.press('Escape')
    await page.keyboard.type('quick start')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor()
    assert.ok((await widthOf(page)) <= 390)
    assertQuiet(watched)
    await page.context().close()
  })

  test('are read, light, 1280 pixels wide', async () => {
    const watched = await open('/docs/guides/errors', { width: 1280 })
    const { page } = watched
    assert.equal(await page.locator('.menu [aria-current=page]').textContent(), 'Errors')
    assert.deepEqual(await axeOn(page), [])
    assertQuiet(watched)
    await page.context().close()
  })

  test('are listed without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${atrium.url}/docs/guides`)
    assert.equal(await page.getByRole('searchbox').count(), 0)
    await page.getByRole('link', { name: 'Rooms and cycles' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rooms and cycles' }).waitFor()
    await context.close()
  })
})

describe('what the pages load', () => {
  const script = '/assets/viewer.js'
  const encodings: [accept: string, encoding: string | undefined, decode: (bytes: Buffer) => Buffer][] = [
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes) => bytes],
  ]

  for (const [accept, encoding, decode] of encodings) {
    test(`the viewer, for "${accept}"`, async () => {
      const { headers, bytes } = await get(script, { 'accept-encoding': accept })
      assert.equal(headers['content-encoding'], encoding)
      assert.match(decode(bytes).toString(), /createApiReference/)
      const again = await get(script, { 'accept-encoding': accept, 'if-none-match': headers.etag ?? '' })
      assert.equal(again.status, 304)
    })
  }

  test('pages declare what they may load', async () => {
    for (const path of ['/docs', '/docs/try', '/problems', '/problems/not_granted']) {
      const { headers } = await get(path, {})
      assert.match(String(headers['content-security-policy']), /^default-src 'none';/, path)
      assert.doesNotMatch(String(headers['content-security-policy']), /https?:|\*/, path)
    }
  })
})

/** Not fetch, which decodes the body. */
function get(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string>; bytes: Buffer }>((resolve, reject) => {
    const sent = request(atrium.url + path, { headers }, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray())
      resolve({ status: answer.statusCode, headers: answer.headers as NodeJS.Dict<string>, bytes })
    })
    sent.on('error', reject).end()
  })
}
