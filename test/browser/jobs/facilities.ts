import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { becomes, button, choose, type Desk, field, firstCells, isSaved } from '../desk.ts'

export function facilityJobs(desk: () => Desk): void {
  const read = async (path: string) => (await desk().ask(`GET /cms/v1/facilities/${path}`)).body

  describe('facilities', () => {
    test('search, filters and order are in the address, and find what they should', async () => {
      const page = await desk().visit('/facilities')
      const names = firstCells(page)
      await becomes(names, ['CHU Nord', 'Hôtel Bellecour', 'Résidence du Port'])
      await page.getByRole('searchbox', { name: 'Search' }).fill('bell')
      await becomes(names, ['Hôtel Bellecour'])
      assert.match(page.url(), /\?q=bell$/)
      await page.keyboard.press('Escape')
      await choose(page, 'Any status', 'suspended')
      await becomes(names, ['Résidence du Port'])
      await page.reload()
      await becomes(names, ['Résidence du Port'])
      await choose(page, 'Any status', 'Any status')
      await button(page, 'Name').click()
      await becomes(names, ['Résidence du Port', 'Hôtel Bellecour', 'CHU Nord'])
    })

    test('one is made, gets the rooms 101-140, and is seen by floors', async () => {
      const page = await desk().visit('/facilities')
      await button(page, 'Add facility').click()
      await field(page, 'Name').fill('Hôtel du Lac')
      await field(page, 'Identifier').fill('lyon-01')
      await button(page, 'Create').click()
      await page
        .getByRole('alert')
        .getByText(/Request id/)
        .waitFor()
      await field(page, 'Identifier').fill('lac-01')
      await button(page, 'Create').click()
      await page.waitForURL('**/facilities/lac-01')
      await button(page, 'Add rooms').click()
      await field(page, 'Range').fill('101-140')
      await button(page.getByRole('dialog'), 'Add rooms').click()
      await page.getByText('40 rooms added').waitFor()
      await page.getByText('Floors').click()
      await button(page, /^104 Room 104, closed/).click()
      await page.getByRole('dialog').getByText('lac-01-104').waitFor()
      assert.equal((await read('lac-01')).areas_count, 40)
    })

    test('a change on top of another is told with both versions, also after a reload, and none is lost', async () => {
      const page = await desk().visit('/facilities/lyon-01?tab=settings')
      await field(page, 'Public Wi-Fi network').fill('Mine')
      await desk().ask('PATCH /cms/v1/facilities/lyon-01', { ssid_public: 'Theirs' })
      await page.reload()
      await page.getByText('Your unsaved changes from before are back.').waitFor()
      await button(page, 'Save').click()
      const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' })
      await dialog.getByRole('cell', { name: 'Theirs' }).waitFor()
      await dialog.getByRole('cell', { name: 'Mine' }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await field(page, 'Public Wi-Fi network').inputValue(), 'Mine')
      await button(page, 'Save').click()
      await button(dialog, 'Take what is there').click()
      await becomes(() => field(page, 'Public Wi-Fi network').inputValue(), 'Theirs')
      assert.equal((await read('lyon-01')).ssid_public, 'Theirs')
      await field(page, 'Public Wi-Fi network').fill('Mine')
      await desk().ask('PATCH /cms/v1/facilities/lyon-01', { ssid_public: 'Theirs again' })
      await button(page, 'Save').click()
      await button(dialog, 'Save mine').click()
      await isSaved(page)
      assert.equal((await read('lyon-01')).ssid_public, 'Mine')
    })

    test('who leaves with unsaved changes is asked first', async () => {
      const page = await desk().visit('/facilities/lyon-01?tab=settings')
      await field(page, 'Portal').fill('https://portal.example/draft')
      await page.getByRole('link', { name: 'Partners' }).click()
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
      await button(dialog, 'Stay').last().click()
      assert.equal(await field(page, 'Portal').inputValue(), 'https://portal.example/draft')
      await page.getByRole('link', { name: 'Partners' }).click()
      await button(dialog, 'Leave').click()
      await page.waitForURL('**/console/partners')
      assert.equal((await read('lyon-01')).subscription_url, 'https://portal.example/lyon-01')
    })

    test('what was changed is in the history, before and after', async () => {
      await desk().ask('PATCH /cms/v1/facilities/lyon-01', { name: 'Hôtel Bellecour & Spa' })
      const page = await desk().visit('/facilities/lyon-01?tab=history')
      await page.getByRole('cell', { name: /name: Hôtel Bellecour → Hôtel Bellecour & Spa/ }).click()
      const entry = page.getByRole('dialog', { name: 'Entry' })
      await entry.getByText('"Hôtel Bellecour & Spa"').waitFor()
      await entry.getByText('colleague@example.com').waitFor()
      await desk().ask('PATCH /cms/v1/facilities/lyon-01', { name: 'Hôtel Bellecour' })
    })

    test('one is removed only when its identifier was typed', async () => {
      await desk().ask('POST /cms/v1/facilities', { id_external: 'gone-01', name: 'Gone' })
      const page = await desk().visit('/facilities/gone-01?tab=settings')
      await button(page, 'Remove facility').click()
      const dialog = page.getByRole('dialog')
      assert.ok(await button(dialog, 'Remove facility').isDisabled())
      await field(dialog, 'Type gone-01 to confirm').fill('gone-01')
      await button(dialog, 'Remove facility').click()
      await page.waitForURL('**/console/facilities')
      assert.equal((await desk().ask('GET /cms/v1/facilities/gone-01')).status, 404)
    })
  })
}
