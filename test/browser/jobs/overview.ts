import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { becomes, type Desk } from '../desk.ts'

export function overviewJobs(desk: () => Desk): void {
  describe('the overview', () => {
    test('numbers have the format of the language, and are sentences for screen readers', async () => {
      await becomes(async () => (await desk().ask('GET /cms/v1/figures')).body.requests.length > 0, true)
      const page = await desk().visit('/')
      const many = async (route: Route) => {
        const response = await route.fetch()
        const figures = await response.json()
        const [first] = figures.requests
        const requests = [
          { ...first, partner: 'everything', status: 200, count: 12345 },
          { ...first, partner: 'everything', status: 403, count: 1234 },
        ]
        await route.fulfill({ response, json: { ...figures, requests } })
      }
      await page.route('**/cms/v1/figures*', many)
      await page.reload()
      await page.getByText('12,345 successful', { exact: true }).waitFor()
      await page.getByText('13,579 requests, 1,234 refused, 0 failed').waitFor()
      await page.unroute('**/cms/v1/figures*')
      await page.evaluate('localStorage.setItem("atrium-language", "fr")')
      await desk().visit('/requests?status=4xx')
      await page
        .getByText(/^\d+,\d ms$/)
        .first()
        .waitFor()
      await page.evaluate('localStorage.removeItem("atrium-language")')
    })

    test('the overview counts requests, links what needs attention, and renews itself', async () => {
      await desk().ask('PUT /cms/v1/facilities/lyon-01/list', { entries: [{ id: 'gone', name: 'Gone' }] })
      const page = await desk().visit('/')
      const total = async () => Number.parseInt(await page.locator('dl strong').first().innerText(), 10)
      await page.getByText('Requests per minute').waitFor()
      const before = await total()
      await desk().atrium.ask('GET /v1/me', { as: 'everything' })
      await becomes(async () => (await total()) > before, true)
      await page.getByText('facility not allowed').first().waitFor()
      await page.getByRole('link', { name: 'Review: Hôtel Bellecour · lyon-01' }).click()
      await page.getByText('Listed, but no such room (1)').waitFor()
    })
  })
}
