import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { button, choose, type Desk } from '../desk.ts'

export function accessJobs(desk: () => Desk): void {
  describe('access', () => {
    test('an allowed request is shown with the deciding permission and the exact response', async () => {
      const page = await desk().visit('/access')
      await page.getByRole('combobox', { name: 'Partner' }).fill('patient portal')
      await page.getByRole('option', { name: 'Patient portal · ward' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Path' }).fill('/v1/areas/chu-nord-215/')
      await page.keyboard.press('Escape')
      await button(page, 'Check').click()
      await page.getByText('allowed', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'permission 1' }).waitFor()
      const { headers, body } = await desk().atrium.ask('GET /v1/areas/chu-nord-215/', { as: 'ward' })
      await page.getByText(`etag: ${headers.get('etag')}`).waitFor()
      assert.deepEqual(JSON.parse(await page.locator('pre').last().innerText()), body)
    })

    test('a refused request names the missing permission, and can be repeated after a change', async () => {
      const grants = [{ facilities: ['lyon-01'], read: [], write: [], rooms: [] }]
      await desk().ask('PATCH /cms/v1/partners/bare', { grants })
      const page = await desk().visit('/access?partner=bare&method=PATCH&path=/v1/facilities/lyon-01/name')
      await page.getByText('refused', { exact: true }).waitFor()
      await page.getByText('not_granted', { exact: true }).waitFor()
      await page.getByText('Write: Name', { exact: true }).waitFor()
      await desk().ask('PATCH /cms/v1/partners/bare', { grants: [{ ...grants[0], write: ['name'] }] })
      await button(page, 'Check').click()
      await page.getByText('The request would be carried out. This was only a check.').waitFor()
      await choose(page, 'Method', 'DELETE')
      await button(page, 'Check').click()
      await page.getByText('method_not_allowed', { exact: true }).waitFor()
      assert.match(page.url(), /method=DELETE/)
    })
  })
}
