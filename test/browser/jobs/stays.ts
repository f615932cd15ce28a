import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request, Route } from 'playwright-core'
import { button, type Desk, field } from '../desk.ts'

export function stayJobs(desk: () => Desk): void {
  const area = async (id: string) => (await desk().ask(`GET /cms/v1/areas/${id}`)).body

  describe('stays', () => {
    test('the end of a service is changed in the time of the facility, or removed', async () => {
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { timezone: 'Asia/Tokyo' })
      await desk().ask('POST /cms/v1/areas/chu-nord-214/open')
      const services = [
        { code: 'tv', label: 'Premium TV', end: '2099-11-22T11:00:59' },
        { code: 'wifi', end: '2020-11-22T11:00:00' },
        { code: 'phone', start: '2099-11-22T11:00:00' },
      ]
      await desk().ask('POST /cms/v1/areas/chu-nord-214/services', { services })
      const page = await desk().visit('/facilities/chu-nord?room=214')
      const end = async () => (await area('chu-nord-214')).services[0].end
      const change = async (text: string) => {
        await button(page, 'Change expiry: Premium TV').click()
        const dialog = page.getByRole('dialog', { name: 'Change expiry: Premium TV' })
        await dialog.getByText('In the time of Asia/Tokyo.').waitFor()
        const before = await dialog.getByLabel('Expires').inputValue()
        await dialog.getByLabel('Expires').fill(text)
        await button(dialog, 'Save').click()
        return { before, dialog }
      }
      await page.getByText('Times are those of the facility (Asia/Tokyo).').waitFor()
      const said = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
      assert.deepEqual(
        said.map((text) => text.replaceAll(/\s+/g, ' ').trim()),
        [
          'Premium TV valid now tv Expires Nov 22, 2099, 11:00:59',
          'wifi expired Expired Nov 22, 2020, 11:00:00',
          'phone not valid yet Valid from Nov 22, 2099, 11:00:00',
        ],
      )
      const sent: string[] = []
      page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
      const same = await change('2099-11-22T11:00:59')
      await same.dialog.waitFor({ state: 'hidden' })
      assert.deepEqual([same.before, sent], ['2099-11-22T11:00:59', []])
      const extended = await change('2099-11-24T12:30')
      await extended.dialog.waitFor({ state: 'hidden' })
      assert.deepEqual([extended.before, await end()], ['2099-11-22T11:00:59', '2099-11-24T03:30:00.000Z'])
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
      await dialog.getByText('These services will move: Premium TV, phone.').waitFor()
      await button(dialog, 'Move the guest').click()
      await page.getByRole('dialog', { name: 'Room 216' }).getByText('Premium TV').waitFor()
      assert.deepEqual([(await area('chu-nord-214')).cycle, (await area('chu-nord-216')).cycle], [null, cycle])
    })

    test('the open ones of selected rooms are closed, but not for a guest who arrived since', async () => {
      await desk().ask('POST /cms/v1/facilities', { id_external: 'inn', name: 'Inn' })
      await desk().ask('POST /cms/v1/facilities/inn/areas', { range: '1-4' })
      for (const id of ['1', '2', '3']) await desk().ask(`POST /cms/v1/areas/inn-${id}/open`)
      const listed = Promise.withResolvers<void>()
      const rooms = '**/cms/v1/facilities/inn/areas*'
      await desk().page.route(rooms, (route) => listed.promise.then(() => route.continue()))
      const page = await desk().visit('/facilities/inn')
      const all = page.getByRole('checkbox', { name: 'Select all rooms shown' })
      assert.deepEqual([await all.isChecked(), await all.isEnabled()], [false, false])
      listed.resolve()
      await all.check()
      await page.unroute(rooms)
      await page.getByRole('checkbox', { name: 'Select Room 3' }).uncheck()
      await button(page, 'Close 2 open rooms').click()
      const question = page.getByRole('dialog', { name: 'Close 2 open rooms' })
      await question.getByText('2 stays will end. There are no services to delete.').waitFor()
      const { cycle } = (await desk().ask('POST /cms/v1/areas/inn-2/open')).body
      await button(question, 'Close 2 open rooms').click()
      const results = page.getByRole('dialog', { name: '1 of 2 rooms closed' })
      await results.getByText('Some rooms were not closed.').waitFor()
      assert.match(
        (await results.getByRole('listitem').first().innerText()) ?? '',
        /^2 Another guest has arrived, or the room was closed/,
      )
      await button(results, 'Close').last().click()
      await button(page, 'Close 1 open room').waitFor()
      assert.deepEqual([(await area('inn-1')).cycle, (await area('inn-2')).cycle], [null, cycle])
    })

    test('what is asked about one guest is not done to the next, and the page then shows the next', async () => {
      const facility = { id_external: 'motel', name: 'Motel', room_services: true }
      await desk().ask('POST /cms/v1/facilities', facility)
      await desk().ask('POST /cms/v1/facilities/motel/areas', { range: '1-1' })
      const arrive = async () => (await desk().ask('POST /cms/v1/areas/motel-1/open')).body.cycle
      await arrive()
      const page = await desk().visit('/facilities/motel?room=1')
      const underWay = requestsUnderWay(page)
      const drawer = page.getByRole('dialog', { name: 'Room 1' })
      const question = page.getByRole('dialog', { name: 'Close room: 1' })
      await button(drawer, 'Close room').click()
      await question.waitFor()
      const second = await arrive()
      await button(question, 'Close room').click()
      await drawer.getByText('Another guest has arrived, or the room was closed').waitFor()
      assert.equal((await area('motel-1')).cycle, second)
      await button(drawer, 'Close room').click()
      await button(question, 'Close room').click()
      await button(drawer, 'Open room').waitFor()
      const third = await withOldList(page, underWay, async () => {
        const cycle = await arrive()
        await button(drawer, 'Open room').click()
        return cycle
      })
      await drawer.getByText('The room has a guest already').waitFor()
      await button(drawer, 'Close room').waitFor()
      assert.equal((await area('motel-1')).cycle, third)
      await withOldList(page, underWay, async () => {
        await arrive()
        await field(drawer, 'Code').fill('tv')
        await button(drawer, 'Add service').click()
      })
      await drawer.getByText('Another guest has arrived, or the room was closed').waitFor()
      assert.deepEqual((await area('motel-1')).services, [])
    })
  })
}

function requestsUnderWay(page: Page): Set<Request> {
  const underWay = new Set<Request>()
  page.on('request', (request) => underWay.add(request))
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => underWay.delete(request))
  }
  return underWay
}

/** Keeps the page from reading anything again until `work` is done. Reads that have begun are waited for. */
async function withOldList<T>(page: Page, underWay: Set<Request>, work: () => Promise<T>): Promise<T> {
  const held: Route[] = []
  while (underWay.size > 0) await sleep(20)
  const reads = (url: URL) => url.pathname.startsWith('/cms/v1/')
  let isHeld = true
  await page.route(reads, (route) => {
    return isHeld && route.request().method() === 'GET' ? void held.push(route) : route.continue()
  })
  const result = await work()
  isHeld = false
  for (const route of held) await route.continue()
  await page.unroute(reads)
  return result
}
