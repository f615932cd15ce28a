import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { onEachEngine } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { addOperator } from '../harness/operators.ts'
import { type Opened, signedIn } from './console.ts'

let browser: Browser
before(async () => {
  browser = await startChromium()
})
after(() => browser?.close())

/** The width of a phone in CSS pixels. */
const width = 390

onEachEngine('the installer view', {}, (atrium) => {
  let key: string
  let opened: Opened
  before(async () => {
    key = (await addOperator(atrium(), 'editor', 'script')).key
    const entries = [
      { id: '101', name: 'Suite Étoile' },
      { id: '2', name: 'Room 2' },
      { id: 'pool', name: 'Pool, to be built' },
    ]
    await atrium().ask('PUT /cms/v1/facilities/lyon-01/list', { as: key, body: { entries } })
    opened = await signedIn(atrium(), browser, 'editor', { width })
    await opened.page.goto(`${atrium().url}/console/install?facility=lyon-01`)
  })
  after(() => opened?.context.close())

  const deviceOf = async (serial: string) => {
    const { body } = await atrium().ask('GET /cms/v1/facilities/lyon-01', { as: key })
    return body.devices.find((one: { serial: string }) => one.serial === serial)
  }

  test('two letters find a room, whatever their accents, and its device is associated', async () => {
    const { page } = opened
    await page.getByLabel('Room').first().fill('et')
    await page.getByRole('button', { name: 'Suite Étoile' }).click()
    // The browser of the tests has no BarcodeDetector.
    assert.equal(await page.getByRole('button', { name: 'Scan' }).count(), 0)
    await page.getByLabel('Serial number').fill('SN-1')
    await page.getByRole('button', { name: 'Associate' }).click()
    await page.getByText('1 sent').waitFor()
    assert.equal((await deviceOf('SN-1')).area, '101')
  })

  test('a known serial keeps its device, and a refused change shows its reason until it is discarded', async () => {
    const { page } = opened
    await associate(page, 'ro', 'Room 2', '0001')
    const question = page.getByRole('dialog', { name: 'Move 0001?' })
    await question.getByText('0001 is now in Suite Étoile. Move it to Room 2?').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await deviceOf('0001')).area, '101')
    await page.getByRole('button', { name: 'Associate' }).click()
    await question.getByRole('button', { name: 'Move it' }).click()
    await page.getByText('0001 is in Room 2').waitFor()
    await page.getByText('2 sent').waitFor()
    const { id, model, area } = await deviceOf('0001')
    assert.deepEqual([id, model, area], ['tv-101', 'X1', '2'])
    await associate(page, 'po', 'Pool, to be built', 'SN-2')
    await page.getByText(/^refused: /).waitFor()
    assert.equal(await deviceOf('SN-2'), undefined)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText(/^refused: /).waitFor({ state: 'detached' })
  })

  test('the default device type is the most common one', async () => {
    const { page } = opened
    const kind = async (facility: string, devices: object[]) => {
      await atrium().ask(`PATCH /cms/v1/facilities/${facility}`, { as: key, body: { devices } })
      await atrium().ask(`PUT /cms/v1/facilities/${facility}/list`, {
        as: key,
        body: { entries: [{ id: '214', name: 'Room 214' }] },
      })
      await page.goto(`${atrium().url}/console/install?facility=${facility}`)
      await page.getByLabel('Room').first().fill('214')
      await page.getByRole('button', { name: 'Room 214' }).click()
      return page.getByLabel('Device type').first().inputValue()
    }
    assert.equal(await kind('chu-nord', []), 'bedside terminal')
    const phones = ['214', '215'].map((area) => ({ id: `p-${area}`, type: 'phone', area }))
    assert.equal(await kind('chu-nord', [...phones, { id: 'tv', type: 'tv', area: '216' }]), 'phone')
    await page.goto(`${atrium().url}/console/install?facility=lyon-01`)
  })

  test('offline, the page opens, stores changes, and sends them when the network returns', async () => {
    const { page, context, complaints } = opened
    await isKeptForLater(page)
    await context.setOffline(true)
    await page.reload()
    await page.getByText('No network').waitFor()
    await associate(page, 'et', 'Suite Étoile', 'SN-3')
    await page.getByText('SN-3 in Suite Étoile: saved on this phone, will be sent later').waitFor()
    assert.equal(await page.getByText('SN-3 is in Suite Étoile').count(), 0)
    await page.getByText('1 waiting to be sent').waitFor()
    await page.reload()
    await page.getByText('saved on this phone, not sent yet').waitFor()
    await page.getByText('1 waiting to be sent').waitFor()
    assert.equal(await deviceOf('SN-3'), undefined)
    await context.setOffline(false)
    await page.getByText('1 sent').waitFor()
    assert.equal((await deviceOf('SN-3')).area, '101')
    assert.deepEqual(complaints, [])
  })
})

async function associate(page: Page, letters: string, room: string, serial: string): Promise<void> {
  await page.getByLabel('Room').first().fill(letters)
  await page.getByRole('button', { name: room }).click()
  await page.getByLabel('Serial number').fill(serial)
  await page.getByRole('button', { name: 'Associate' }).click()
}

/** Waits until the service worker has cached the files of the page. */
async function isKeptForLater(page: Page): Promise<void> {
  await page.waitForFunction(`(async () => {
    const kept = await (await caches.open('atrium-console')).keys()
    const scripts = [...document.querySelectorAll('script[src]')]
    return navigator.serviceWorker.controller && scripts.every(({ src }) => kept.some(({ url }) => url === src))
  })()`)
}
