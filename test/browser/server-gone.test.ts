import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { axeOn, open } from './console.ts'
import { atDesks, becomes, button, field } from './desk.ts'

const asset = '**/console/assets/**'
const api = '**/cms/v1/**'

atDesks(
  'a server that is away, slow or newer',
  (desk) => {
    afterEach(async () => {
      await desk().page.unroute(asset)
      await desk().page.unroute(api)
    })

    describe('a page that cannot be loaded', () => {
      test('waits for the server, and opens by itself', async () => {
        const page = await desk().visit('/settings')
        await page.getByRole('heading', { name: 'Settings' }).waitFor()
        await page.route(asset, (route) => route.abort())
        await page.route(api, (route) => route.abort())
        await page.getByRole('link', { name: 'Audit log' }).click()
        await page.getByRole('heading', { name: 'Atrium cannot be reached' }).waitFor()
        assert.doesNotMatch(await page.locator('body').innerText(), /preload|import|http:/)
        assert.deepEqual(await axeOn(page), [])
        await page.unroute(asset)
        await page.unroute(api)
        await page.getByRole('heading', { name: 'Audit log' }).waitFor()
      })

      test('of an older version is reloaded once, and then left to the operator', async () => {
        const page = await desk().visit('/settings')
        await page.getByRole('heading', { name: 'Settings' }).waitFor()
        await page.evaluate('sessionStorage.clear()')
        let loads = 0
        page.on('request', (request) => {
          if (request.isNavigationRequest()) loads++
        })
        await page.route('**/console/assets/{audit,table}*', (route) => route.fulfill({ status: 404 }))
        await page.getByRole('link', { name: 'Audit log' }).click()
        await page.getByRole('heading', { name: 'Atrium was updated' }).waitFor()
        assert.equal(loads, 1)
        await page.unroute('**/console/assets/{audit,table}*')
        await button(page, 'Reload').click()
        await page.getByRole('heading', { name: 'Audit log' }).waitFor()
      })
    })

    for (const [name, refuse] of [
      ['unreachable', (route) => route.abort()],
      ['not ready', (route) => route.fulfill({ status: 503, json: { code: 'not_ready', title: 'Not ready' } })],
    ] as [string, (route: Route) => Promise<void>][]) {
      test(`a page that is opened while the server is ${name} shows its rows as soon as it is back`, async () => {
        const page = await desk().visit('/settings')
        await page.route('**/cms/v1/requests*', refuse)
        await page.getByRole('link', { name: 'Request log' }).click()
        await page.getByRole('alert').waitFor()
        await desk().atrium.ask('GET /v1/me', { as: 'hotelier' })
        await page.unroute('**/cms/v1/requests*')
        await page
          .getByRole('row', { name: /GET \/v1\/me/ })
          .first()
          .waitFor()
        assert.equal(await page.getByRole('alert').count(), 0)
      })
    }

    test('a change saved while the server is unreachable is kept, and saved when it returns', async () => {
      const page = await desk().visit('/facilities/lyon-01?tab=settings')
      await field(page, 'Portal').fill('https://portal.example/later')
      await page.route(api, (route) => route.abort())
      await button(page, 'Save').click()
      const alert = page.getByRole('alert')
      await alert.getByText('Atrium cannot be reached').waitFor()
      await alert.getByText('Nothing is lost').waitFor()
      await page.unroute(api)
      await page.reload()
      await page.getByText('Your unsaved changes have been restored.').waitFor()
      await button(page, 'Save').click()
      await page.getByText('Saved', { exact: true }).waitFor()
      const { body } = await desk().ask('GET /cms/v1/facilities/lyon-01')
      assert.equal(body.subscription_url, 'https://portal.example/later')
    })

    test('the page is never blank while the session loads', async () => {
      const answered = Promise.withResolvers<void>()
      const { page } = desk()
      await page.route('**/cms/v1/me', async (route) => {
        await answered.promise
        await route.continue()
      })
      await page.goto(`${desk().atrium.url}/console/facilities`)
      const seen = async () => [
        await page.locator('main h1').count(),
        await page.getByText('Atrium').first().isVisible(),
      ]
      assert.deepEqual(await seen(), [1, true])
      await becomes(
        () => page.evaluate('document.querySelector("#root > .boot") === null || performance.now() > 0'),
        true,
      )
      assert.deepEqual(await seen(), [1, true])
      assert.deepEqual(await axeOn(page), [])
      answered.resolve()
      await page.getByRole('heading', { name: 'Facilities' }).waitFor()
      await page.unroute('**/cms/v1/me')
    })

    test('the page is not blank before any script has run', async () => {
      const { page, context } = await open(desk().browser)
      await page.route('**/console/assets/*.js', () => {})
      void page.goto(`${desk().atrium.url}/console/`).catch(() => {})
      await page.locator('main h1').waitFor({ state: 'attached' })
      assert.ok(await page.getByText('Atrium').first().isVisible())
      await context.close()
    })

    test('on a tablet names are whole, and the side is a strip that can still be used', async () => {
      const name = 'Résidence de la Croix-Rousse Lyon'
      await desk().ask('PATCH /cms/v1/facilities/nice-02', { name })
      const { page } = desk()
      await page.setViewportSize({ width: 768, height: 1024 })
      await desk().visit('/facilities')
      const link = page.getByRole('link', { name })
      await link.waitFor()
      assert.ok(await link.evaluate(({ parentElement: cell }) => cell !== null && cell.scrollWidth <= cell.clientWidth))
      const table = page.getByRole('region', { name: 'Facilities' })
      assert.ok(await table.evaluate((one) => one.scrollWidth <= one.clientWidth))
      const side = (await page.getByRole('navigation').boundingBox())?.width ?? 999
      assert.ok(side < 80, `the side is ${side} wide`)
      assert.deepEqual(await axeOn(page), [])
      await page.getByRole('link', { name: 'Partners' }).click()
      await page.getByRole('heading', { name: 'Partners' }).waitFor()
      await page.setViewportSize({ width: 1280, height: 900 })
    })
  },
  { which: ['sqlite'] },
)
