import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { rows } from '../storage/large-estate.ts'
import { type Opened, signedIn } from './console.ts'

const count = 100_000
/** The number of rooms of the first facility; scrolling through more takes longer and shows no more. */
const rooms = 20_000
const date = `'2026-01-01T00:00:00.000Z'`
/** The maximum number of table rows in the DOM, whatever the length of the list. */
const rowsAtMost = 300
/** The maximum number of requests: a small page first, then large ones. */
const pagesAtMost = rooms / 1000 + 1

const number = `(${count} + i)`
const statements = [
  rows('facility', count, [
    `${number}, 'f' || ${number}, 'Facility ' || ${number}, 'active', 'hotel', null, null, 1,`,
    `'UTC', 1, null, '[]', ${date}, ${date}, ' facility ' || ${number}`,
  ]),
  rows(
    'area (id, facility_id, id_short, id_external, sort_key, name, data_general, json, date_created, date_updated)',
    rooms,
    [
      `'area' || ${number}, ${count + 1}, '' || ${number}, 'x-' || ${number}, '0F' || ${number}, 'Room ' || ${number},`,
      `'[]', '{"name":"Room ' || ${number} || '","opened_at":null,"data_general":[],"data_services":[]}', ${date}, ${date}`,
    ],
  ),
]

let atrium: TestAtrium
let browser: Browser
let opened: Opened
const asked: string[] = []

before(async () => {
  atrium = await startAtrium('sqlite')
  await atrium.service.db.write(async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx.query)
  })
  browser = await startChromium()
  opened = await signedIn(atrium, browser, 'viewer')
  opened.page.on('request', (request) => asked.push(request.url()))
})
after(async () => {
  await browser?.close()
  await atrium?.stop()
})

async function visit(path: string): Promise<Page> {
  asked.length = 0
  await opened.page.goto(`${atrium.url}/console${path}`)
  return opened.page
}

async function assertFewRows(page: Page): Promise<void> {
  const shown = await page.locator('tr').count()
  assert.ok(shown < rowsAtMost, `${shown} rows are in the page`)
}

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await page.getByText('1 row', { exact: true }).waitFor()
}

/** Scrolls until all rows are loaded, and returns the highest number of rows that were in the DOM. */
const scrollToTheEnd = `new Promise((resolve) => {
  const table = document.querySelector('section[aria-label="Rooms"]')
  let most = 0
  const step = () => {
    table.scrollTop = table.scrollHeight
    most = Math.max(most, document.querySelectorAll('tr').length)
    const isWhole = table.nextElementSibling.textContent === '20,000 rows'
    if (isWhole) resolve(most)
    else setTimeout(step, 20)
  }
  step()
})`

describe('lists of 100,000 facilities and 20,000 rooms', () => {
  test('facilities appear at once, and one is found among them', async () => {
    const page = await visit('/facilities?sort=id_external')
    await page.getByText('100 of 100,003').waitFor()
    await assertFewRows(page)
    await find(page, 'facility 177777')
    await page.getByRole('link', { name: 'Facility 177777' }).waitFor()
    assert.ok(asked.filter((url) => url.includes('/cms/v1/facilities')).length <= 'facility 177777'.length + 1)
  })

  test('rooms are scrolled to their end with few in the page, and one is found among them', async () => {
    const page = await visit('/facilities/f100001')
    await page.getByText('100 of 20,000').waitFor()
    const most: number = await page.evaluate(scrollToTheEnd)
    assert.ok(most < rowsAtMost, `${most} rows were in the page`)
    await page.getByRole('row', { name: /Room 120000/ }).waitFor()
    const pages = asked.filter((url) => url.includes('/areas'))
    assert.ok(pages.length <= pagesAtMost, `${pages.length} pages were asked for`)
    await find(page, 'room 117777')
    await page.getByRole('row', { name: /Room 117777/ }).waitFor()
    assert.deepEqual(opened.complaints, [])
  })
})
