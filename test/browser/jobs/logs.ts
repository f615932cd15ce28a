import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { becomes, button, choose, type Desk, field } from '../desk.ts'

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
      await field(page, 'Request id').fill('')
      await page.keyboard.press('Enter')
      await choose(page, 'Status', 'not granted (403)')
      const row = page.getByRole('row', { name: /stranger/ })
      await becomes(() => row.count(), 1)
      await row.click()
      const request = page.getByRole('dialog', { name: 'Request' })
      await request.getByText('facility_not_granted').waitFor()
      await request.getByText('log-refused').waitFor()
      await request.getByRole('link', { name: 'See as this partner' }).click()
      await page.getByText('refused', { exact: true }).waitFor()
    })

    test('it is followed live', async () => {
      const page = await desk().visit('/requests')
      await button(page, 'Follow live').click()
      await button(page, 'Live').waitFor()
      await v1('GET /v1/facilities/lyon-01/', 'bare', 'seen-live')
      await page
        .getByRole('row', { name: /bare.*GET/ })
        .first()
        .waitFor()
    })
  })

  describe('the audit log', () => {
    test('it is filtered, shows before and after, and puts a property back once', async () => {
      await desk().ask('PATCH /cms/v1/facilities/nice-02', { name: 'Renamed by mistake' })
      const page = await desk().visit('/audit?facility=nice-02')
      await choose(page, 'Action', 'changed a facility')
      await page.getByRole('cell', { name: /→ Renamed by mistake/ }).click()
      const entry = page.getByRole('dialog', { name: 'Entry' })
      await entry.getByText('"Résidence du Port"').waitFor()
      await button(entry, 'Put back').click()
      await entry.waitFor({ state: 'hidden' })
      assert.equal((await desk().ask('GET /cms/v1/facilities/nice-02')).body.name, 'Résidence du Port')
      await page.getByRole('cell', { name: /: Résidence du Port → Renamed by mistake/ }).click()
      await entry.getByText('"Renamed by mistake"').waitFor()
      assert.equal(await button(entry, 'Put back').count(), 0)
    })

    test('it is exported whole', async () => {
      const page = await desk().visit('/audit')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export CSV' }).click(),
      ])
      const text = await readFile(await download.path(), 'utf8')
      assert.match(text, /Renamed by mistake/)
    })
  })

  describe('the overview', () => {
    test('it counts requests, names what needs attention and leads there, and goes on by itself', async () => {
      await desk().ask('PUT /cms/v1/facilities/lyon-01/list', { entries: [{ id: 'gone', name: 'Gone' }] })
      const page = await desk().visit('/')
      const total = async () => Number.parseInt(await page.locator('dl strong').first().innerText(), 10)
      await page.getByText('Requests per minute').waitFor()
      const before = await total()
      await v1('GET /v1/me', 'everything', 'counted')
      await becomes(async () => (await total()) > before, true)
      await page.getByText('facility_not_granted').first().waitFor()
      await page.getByRole('link', { name: 'Look: lyon-01' }).click()
      await page.getByText('Only in the list: installers can choose it, and it is not there (1)').waitFor()
    })
  })
}
