import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeOn } from '../console.ts'
import { becomes, button, choose, type Desk, field } from '../desk.ts'

/** Types into a filter, and takes the first option with Enter. */
async function pick(page: Page, label: string, text: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(text)
  await becomes(async () => (await page.getByRole('option').allInnerTexts())[0], option)
  await page.keyboard.press('Enter')
}

export function logJobs(desk: () => Desk): void {
  const v1 = (request: string, as: string, id: string) =>
    desk().atrium.ask(request, { as, headers: { 'x-request-id': id } })

  describe('the request log', () => {
    test('it is filtered, and one is opened to see why it was refused, and seen as the partner', async () => {
      await v1('GET /v1/facilities/nice-02/', 'stranger', 'log-refused')
      await v1('GET /v1/me', 'stranger', '12e4')
      const found = async () => (await desk().ask('GET /cms/v1/requests?partner=stranger')).body.length
      await becomes(found, 2)
      const page = await desk().visit('/requests?partner=stranger&request_id=12e4')
      await page.getByRole('row', { name: /GET \/v1\/me/ }).waitFor()
      await field(page, 'Request ID').fill('')
      await page.keyboard.press('Enter')
      await choose(page, 'Status', 'not allowed (403)')
      const row = page.getByRole('row', { name: /Sees nothing/ })
      await becomes(() => row.count(), 1)
      await row.click()
      const request = page.getByRole('dialog', { name: 'Request' })
      await request.getByText('facility not allowed').waitFor()
      await request.getByText('log-refused').waitFor()
      await request.getByRole('link', { name: 'See as this partner' }).click()
      await page.getByText('refused', { exact: true }).waitFor()
    })

    test('a facility or room that is hidden from the partner is told apart from one that does not exist', async () => {
      const paths = {
        'log-typo': ['facilities/lyon-0l/', 'no such facility', 'No facility has the ID lyon-0l.'],
        'log-hidden': [
          'areas/nice-02-A-1/',
          'room not allowed',
          'No permission of the partner covered facility nice-02.',
        ],
        'log-none': ['areas/nice-02-A-2/', 'no such room', 'No room has the ID nice-02-A-2.'],
      }
      for (const [id, [path = '', reason = '', explanation = '']] of Object.entries(paths)) {
        await v1(`GET /v1/${path}`, 'stranger', id)
        await becomes(async () => (await desk().ask(`GET /cms/v1/requests?request_id=${id}`)).body.length, 1)
        const page = await desk().visit(`/requests?request_id=${id}`)
        await page.getByRole('cell', { name: reason, exact: true }).click()
        await page.getByRole('dialog', { name: 'Request' }).getByText(explanation).waitFor()
      }
      assert.deepEqual(await axeOn(desk().page), [])
    })

    test('it is filtered by the names of partner and facility; filters that match nothing are cleared', async () => {
      await v1('GET /v1/facilities/lyon-01/', 'hotelier', 'log-named')
      await becomes(async () => (await desk().ask('GET /cms/v1/requests?request_id=log-named')).body.length, 1)
      const page = await desk().visit('/requests')
      await pick(page, 'Partner', 'hotel pms', 'Hotel PMS · hotelier')
      await pick(page, 'Facility', 'bellecour', 'Hôtel Bellecour · lyon-01')
      const row = page.getByRole('row', { name: /Hotel PMS.*lyon-01/ }).first()
      await row.waitFor()
      assert.match(page.url(), /partner=hotelier&facility=lyon-01/)
      await pick(page, 'Facility', 'lyon-99', 'ID: lyon-99')
      await page.getByText('No matching entries').waitFor()
      await button(page, 'Clear filters').click()
      await row.waitFor()
      assert.doesNotMatch(page.url(), /partner/)
    })

    test('it is shown and exported for a period, with the keyboard alone', async () => {
      await v1('GET /v1/facilities/nice-02/', 'stranger', 'log-period')
      const id = 'request_id=log-period'
      await becomes(async () => (await desk().ask(`GET /cms/v1/requests?${id}`)).body.length, 1)
      const page = await desk().visit(`/requests?${id}&until=2020-01-01T00:00:00Z`)
      await page.getByText('No matching entries').waitFor()
      await button(page, /^Period: until /).press('Enter')
      await button(page, 'Last 24 hours').press('Enter')
      await page.getByRole('row', { name: /Sees nothing/ }).waitFor()
      await becomes(
        () => button(page, /^Period: since /).evaluate((one) => one === one.ownerDocument.activeElement),
        true,
      )
      const rows = JSON.parse(await exported(page, 'JSON, for programs'))
      assert.deepEqual(
        rows.map((row: { request_id: string }) => row.request_id),
        ['log-period'],
      )
    })

    test('it is followed live', async () => {
      const page = await desk().visit('/requests')
      await button(page, 'Follow live').click()
      await button(page, 'Live').waitFor()
      await v1('GET /v1/facilities/lyon-01/', 'bare', 'seen-live')
      await page
        .getByRole('row', { name: /Sees names only.*GET/ })
        .first()
        .waitFor()
    })
  })

  describe('the audit log', () => {
    test('it is filtered by the names of operator, facility and partner', async () => {
      await desk().ask('PATCH /cms/v1/facilities/nice-02', { ssid_public: 'Named in a filter' })
      const page = await desk().visit('/audit')
      await pick(page, 'Who', 'colleague', 'colleague · colleague@example.com')
      await pick(page, 'Facility', 'residence du port', 'Résidence du Port · nice-02')
      await page.getByRole('row', { name: /nice-02.*Named in a filter/ }).waitFor()
      await pick(page, 'Partner', 'hotel pms', 'Hotel PMS · hotelier')
      await page.getByText('No matching entries').waitFor()
    })

    test('it is filtered, shows before and after, and puts a property back once', async () => {
      await desk().ask('PATCH /cms/v1/facilities/nice-02', { name: 'Renamed by mistake' })
      const page = await desk().visit('/audit?facility=nice-02')
      await choose(page, 'Action', 'changed a facility')
      await page.getByRole('cell', { name: /→ Renamed by mistake/ }).click()
      const entry = page.getByRole('dialog', { name: /^Entry \d/ })
      await entry.getByText('Removed Résidence du Port').waitFor()
      await entry.getByText('Added Renamed by mistake').waitFor()
      assert.deepEqual(await axeOn(page), [])
      await button(entry, 'Undo').click()
      await entry.waitFor({ state: 'hidden' })
      assert.equal((await desk().ask('GET /cms/v1/facilities/nice-02')).body.name, 'Résidence du Port')
      await page.getByRole('cell', { name: /^undid entry \d+$/ }).click()
      await entry.getByText('Added Résidence du Port').waitFor()
      await button(entry, /^Entry \d/).click()
      await entry.getByText('Added Renamed by mistake').waitFor()
      await entry.getByText('"Name" of nice-02 has changed again since').waitFor()
      assert.equal(await button(entry, 'Undo').count(), 0)
    })

    test('entries have names and words instead of ids and JSON, in French too', async () => {
      const { token } = (await desk().ask('POST /cms/v1/partners/bare/tokens', { name: 'lobby screens' })).body
      await desk().ask('PATCH /cms/v1/facilities/nice-02', {
        address: { city: 'Nice', country: 'FR' },
        subscribed: true,
      })
      await desk().atrium.ask('POST /v1/areas/chu-nord-216', { as: 'ward' })
      const services = { value: JSON.stringify([{ code: 'tv' }]) }
      await desk().atrium.ask('POST /v1/areas/chu-nord-216/data_services', { as: 'ward', body: services })
      const page = await desk().visit('/audit')
      await page.evaluate(`localStorage.setItem('atrium-language', 'fr')`)
      await page.reload()
      await page.getByRole('row', { name: /a créé un jeton lobby screens Nom : lobby screens/ }).waitFor()
      const entry = page.getByRole('dialog', { name: /^Entrée \d/ })
      const opened = async (action: RegExp, texts: string[]) => {
        await page.getByRole('row', { name: action }).first().click()
        for (const text of texts) await entry.getByText(text).first().waitFor()
        assert.equal(await entry.getByText(/[{}"]|null|true|false/).count(), 0)
        await page.keyboard.press('Escape')
        await entry.waitFor({ state: 'hidden' })
      }
      await opened(/a créé un jeton/, [`lobby screens · ${token.id}`])
      await opened(/a modifié un établissement nice-02/, ['Ville : Nice', 'Abonné', 'Ajouté Oui'])
      await opened(/a ajouté des services/, ['Ajouté tv · …', 'Séjour'])
      await opened(/a ouvert une chambre/, ['Séjour'])
      await page.evaluate(`localStorage.removeItem('atrium-language')`)
      await desk().atrium.ask('DELETE /v1/areas/chu-nord-216', { as: 'ward' })
    })

    test('it is shown and exported for a period, which is in the address', async () => {
      await desk().ask('PATCH /cms/v1/facilities/nice-02', { ssid_public: 'Seen in a period' })
      const page = await desk().visit('/audit?facility=nice-02')
      await page.getByText('Seen in a period').first().waitFor()
      await button(page, 'Period: Any time').click()
      await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00')
      await page.getByLabel('To', { exact: true }).fill('2019-01-01T00:00')
      await button(page, 'Show').click()
      await page.getByText('The end must be after the start.').waitFor()
      await page.getByLabel('To', { exact: true }).fill('2020-01-02T00:00')
      await button(page, 'Show').click()
      await page.getByText('No matching entries').waitFor()
      assert.match(page.url(), /since=2020-01-01T.*until=2020-01-02T/)
      await page.reload()
      await button(page, /^Period: Jan 1, 00:00 – Jan 2, 00:00/).click()
      assert.deepEqual(await axeOn(page), [])
      await button(page, 'Last hour').click()
      await page.getByText('Seen in a period').first().waitFor()
      const text = await exported(page, 'CSV, for spreadsheets')
      assert.match(text, /Seen in a period/)
      assert.deepEqual(
        new Set(
          text
            .trim()
            .split('\r\n')
            .slice(1)
            .map((line) => line.includes(',nice-02,')),
        ),
        new Set([true]),
      )
    })

    test('it is exported whole', async () => {
      const page = await desk().visit('/audit')
      await page.getByText('Seen in a period').first().waitFor()
      assert.match(await exported(page, 'CSV, for spreadsheets'), /Seen in a period/)
    })
  })
}

/** Downloads a log in this format through the menu of the page. */
async function exported(page: Page, format: string): Promise<string> {
  await button(page, 'Export').click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}
