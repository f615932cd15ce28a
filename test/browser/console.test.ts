import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { addOperator } from '../harness/operators.ts'
import { freePort } from '../harness/postgres-program.ts'
import { type Opened, open, signedIn } from './console.ts'

let atrium: TestAtrium
let browser: Browser
let opened: Opened
let key: string
const provider = await new TestOpenIdProvider().start()

before(async () => {
  const port = String(await freePort())
  const settings = { ATRIUM_PORT: port, ...provider.settings(`http://127.0.0.1:${port}`) }
  atrium = await startAtrium('sqlite', { settings })
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

describe('single sign-on', () => {
  test('through a provider on another site, to the page they wanted', async () => {
    provider.person = { email: 'admin@example.com', email_verified: true }
    const { page, context, complaints } = await open(browser)
    await page.goto(`${atrium.url}/console/partners?q=ac`)
    await page.getByRole('button', { name: 'Continue with Example Login' }).click()
    await page.waitForURL('**/console/partners?q=ac')
    await page.getByRole('heading', { name: 'Partners' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Partners' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('whoever is no operator is told so, and the answer leaves the address', async () => {
    provider.person = { email: 'stranger@example.com', email_verified: true }
    const { page, context } = await open(browser)
    await page.goto(`${atrium.url}/console/`)
    await page.getByRole('button', { name: 'Continue with Example Login' }).click()
    await page.getByText('Nobody with your e-mail address is an operator here').waitFor()
    assert.equal(new URL(page.url()).search, '')
    await context.close()
  })
})

describe('an estate file', () => {
  test('is looked at first, then applied', async () => {
    const page = await visit('/settings?tab=estate')
    const content = 'facilities:\n  - {id_external: file-01, name: From a file, areas: [{id: "1", name: One}]}\n'
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    await chooser.setFiles({ name: 'estate.yaml', mimeType: 'application/yaml', buffer: Buffer.from(content) })
    await page.getByRole('cell', { name: 'file-01', exact: true }).waitFor()
    assert.equal((await asked('GET /cms/v1/facilities/file-01')).code, 'facility_not_found')
    await page.getByRole('button', { name: 'Apply 2 changes' }).click()
    await page.getByText('Imported').waitFor()
    assert.equal((await asked('GET /cms/v1/facilities/file-01')).areas_count, 1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as YAML' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'estate.yaml')
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
