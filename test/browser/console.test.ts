import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { addOperator } from '../harness/operators.ts'
import { type Opened, signedIn } from './console.ts'

let atrium: TestAtrium
let browser: Browser
let opened: Opened
let key: string

before(async () => {
  atrium = await startAtrium('sqlite')
  browser = await startChromium()
  opened = await signedIn(atrium, browser, 'admin')
  key = (await addOperator(atrium, 'admin', 'script')).key
})
after(async () => {
  await browser?.close()
  await atrium?.stop()
})

async function visit(path: string): Promise<Page> {
  await opened.page.goto(`${atrium.url}/console${path}`)
  return opened.page
}

const asked = async (request: string) => (await atrium.ask(request, { as: key })).body

describe('signing in', () => {
  test('a viewer is offered no changes, and speaks French when the browser does', async () => {
    const { page, context } = await signedIn(atrium, browser, 'viewer', { language: 'fr' })
    await page.goto(`${atrium.url}/console/facilities`)
    await page.getByRole('heading', { name: 'Établissements' }).waitFor()
    await page.getByRole('link', { name: 'Hôtel Bellecour' }).or(page.getByText('lyon-01')).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Ajouter un établissement' }).count(), 0)
    await context.close()
  })
})

describe('facilities', () => {
  test('one is made, gets a range of rooms, and is seen by floors', async () => {
    const page = await visit('/facilities')
    await page.getByRole('button', { name: 'Add facility' }).click()
    await page.getByLabel('Name').fill('Hôtel du Port')
    await page.getByLabel('Identifier').fill('port-01')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/facilities/port-01')
    await page.getByRole('button', { name: 'Add rooms' }).click()
    await page.getByLabel('Range').fill('101-112')
    await page.getByRole('dialog').getByRole('button', { name: 'Add rooms' }).click()
    await page.getByText('12 rooms added').waitFor()
    await page.getByText('Floors').click()
    await page.getByRole('button', { name: /^104 Room 104, closed/ }).click()
    await page.getByRole('dialog').getByText('port-01-104').waitFor()
    assert.equal((await asked('GET /cms/v1/facilities/port-01')).areas_count, 12)
  })

  test('a change on top of another is shown with both versions, and not lost', async () => {
    const page = await visit('/facilities/lyon-01?tab=settings')
    await page.getByLabel('Public Wi-Fi network').fill('Mine')
    const theirs = { as: key, body: { ssid_public: 'Theirs' } }
    assert.equal((await atrium.ask('PATCH /cms/v1/facilities/lyon-01', theirs)).status, 200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' })
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
    await dialog.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Saved').waitFor()
    assert.equal((await asked('GET /cms/v1/facilities/lyon-01')).ssid_public, 'Mine')
  })
})
