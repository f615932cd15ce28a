import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { axeFindings, type Opened, open, signedIn } from './console.ts'

const pages = [
  '/',
  '/facilities',
  '/facilities/lyon-01',
  '/facilities/lyon-01?view=grid',
  '/facilities/lyon-01?tab=list',
  '/facilities/lyon-01?tab=devices',
  '/facilities/lyon-01?tab=history',
  '/facilities/lyon-01?tab=settings',
  '/partners',
  '/partners/hotelier',
  '/partners/hotelier?tab=contract',
  '/partners/hotelier?tab=tokens',
  '/access?partner=hotelier&method=GET&path=/v1/facilities/',
  '/requests',
  '/audit',
  '/install?facility=lyon-01',
  '/settings',
  '/settings?tab=sessions',
  '/settings?tab=estate',
  '/nowhere',
]

let atrium: TestAtrium
let browser: Browser

before(async () => {
  atrium = await startAtrium('sqlite', { settings: (await new TestOpenIdProvider().start()).settings() })
  browser = await startChromium()
})
after(async () => {
  await browser?.close()
  await atrium?.stop()
})

for (const colorScheme of ['light', 'dark'] as const) {
  describe(`axe finds nothing, ${colorScheme}`, () => {
    let opened: Opened

    before(async () => {
      opened = await signedIn(atrium, browser, 'admin', { colorScheme })
    })

    test('sign-in', async () => {
      const { page } = await open(browser, { colorScheme })
      await page.goto(`${atrium.url}/console/sign-in`, { waitUntil: 'networkidle' })
      assert.deepEqual(await axeFindings(page), [])
    })

    for (const path of pages) {
      test(path, async () => {
        const { page, complaints } = opened
        await page.goto(`${atrium.url}/console${path}`, { waitUntil: 'networkidle' })
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.deepEqual(await axeFindings(page), [])
        assert.deepEqual(complaints, [])
      })
    }
  })
}
