import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { button, type Desk, field } from '../desk.ts'

export function stayJobs(desk: () => Desk): void {
  const area = async (id: string) => (await desk().ask(`GET /cms/v1/areas/${id}`)).body

  describe('stays', () => {
    test('the end of a service is changed in the time of the facility, or removed', async () => {
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { timezone: 'Asia/Tokyo' })
      await desk().ask('POST /cms/v1/areas/chu-nord-214/open')
      const services = [{ code: 'tv', label: 'Premium TV', end: '2099-11-22T11:00:00' }]
      await desk().ask('POST /cms/v1/areas/chu-nord-214/services', { services })
      const page = await desk().visit('/facilities/chu-nord?room=214')
      const end = async () => (await area('chu-nord-214')).services[0].end
      const change = async (text: string) => {
        await button(page, 'Change the end: Premium TV').click()
        const dialog = page.getByRole('dialog', { name: 'Change the end: Premium TV' })
        await dialog.getByText('In the time of Asia/Tokyo.').waitFor()
        const before = await dialog.getByLabel('Expires').inputValue()
        await dialog.getByLabel('Expires').fill(text)
        await button(dialog, 'Save').click()
        return { before, dialog }
      }
      const extended = await change('2099-11-24T12:30')
      await extended.dialog.waitFor({ state: 'hidden' })
      assert.deepEqual([extended.before, await end()], ['2099-11-22T11:00', '2099-11-24T03:30:00.000Z'])
      const removed = await change('')
      await removed.dialog.waitFor({ state: 'hidden' })
      assert.equal(await end(), null)
    })

    test('a guest is moved after a confirmation that says what moves', async () => {
      for (const id of ['214', '215', '216']) await desk().ask(`POST /cms/v1/areas/chu-nord-${id}/close`)
      const { cycle } = (await desk().ask('POST /cms/v1/areas/chu-nord-214/open')).body
      const services = [{ code: 'tv', label: 'Premium TV' }, { code: 'phone' }]
      await desk().ask('POST /cms/v1/areas/chu-nord-214/services', { services })
      await desk().ask('POST /cms/v1/areas/chu-nord-215/open')
      const page = await desk().visit('/facilities/chu-nord?room=214')
      await button(page, 'Move the guest').click()
      const dialog = page.getByRole('dialog', { name: 'Move the guest: 214' })
      const target = dialog.getByRole('combobox', { name: 'To room' }).or(field(dialog, 'To room')).first()
      await target.click()
      await page.getByRole('option', { name: '216 · Room 216' }).waitFor()
      assert.equal(await page.getByRole('option', { name: '215 · Room 215' }).count(), 0)
      await page.getByRole('option', { name: '216 · Room 216' }).click()
      await dialog.getByText('These services move: Premium TV, phone.').waitFor()
      await button(dialog, 'Move the guest').click()
      await page.getByRole('dialog', { name: 'Room 216' }).getByText('Premium TV').waitFor()
      assert.deepEqual([(await area('chu-nord-214')).cycle, (await area('chu-nord-216')).cycle], [null, cycle])
    })

    test('the open ones of selected rooms are closed, but not for a guest who arrived since', async () => {
      await desk().ask('POST /cms/v1/facilities', { id_external: 'inn', name: 'Inn' })
      await desk().ask('POST /cms/v1/facilities/inn/areas', { range: '1-4' })
      for (const id of ['1', '2', '3']) await desk().ask(`POST /cms/v1/areas/inn-${id}/open`)
      const page = await desk().visit('/facilities/inn')
      await page.getByRole('checkbox', { name: 'Select all rooms shown' }).check()
      await page.getByRole('checkbox', { name: 'Select Room 3' }).uncheck()
      await button(page, 'Close 2 open rooms').click()
      const question = page.getByRole('dialog', { name: 'Close 2 open rooms' })
      await question.getByText('2 stays end. There are no services to delete.').waitFor()
      const { cycle } = (await desk().ask('POST /cms/v1/areas/inn-2/open')).body
      await button(question, 'Close 2 open rooms').click()
      const results = page.getByRole('dialog', { name: '1 of 2 rooms closed' })
      await results.getByText('Some rooms were not closed.').waitFor()
      assert.match((await results.getByRole('listitem').first().innerText()) ?? '', /^2 This stay has ended already/)
      await button(results, 'Close').last().click()
      await button(page, 'Close 1 open room').waitFor()
      assert.deepEqual([(await area('inn-1')).cycle, (await area('inn-2')).cycle], [null, cycle])
    })
  })
}
