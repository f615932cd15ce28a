import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Receiver, startReceiver, verify } from '../../harness/receiver.ts'
import { timesOf } from '../../webhooks/fixture.ts'
import { axeOn } from '../console.ts'
import { act, becomes, button, choose, type Desk, field, isSaved, readSecret } from '../desk.ts'

export function webhookJobs(desk: () => Desk): void {
  describe('webhooks', () => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
    })
    after(() => receiver[Symbol.asyncDispose]())

    test('a webhook is added once it responds, tested, inspected in its log, replayed, disabled and removed', async () => {
      const url = `${receiver.url}/console`
      const page = await desk().visit('/partners/ward?tab=webhooks')
      await button(page, 'Add webhook').click()
      receiver.answers('/console', (_, response) => void response.writeHead(404).end())
      await field(page, 'Address').fill(url)
      await button(page.getByRole('dialog'), 'Add').click()
      await page.getByText('Result of the ping: response status 404. Nothing was changed.').waitFor()
      receiver.answers('/console', (_, response) => void response.writeHead(200).end())
      await button(page.getByRole('dialog'), 'Add').click()
      const shown = page.getByRole('dialog', { name: 'Webhook secret' })
      const secret = await readSecret(shown)
      verify(secret, receiver.received.findLast(({ path }) => path === '/console') as never)
      await act(page, url, 'Ping')
      await page.getByText('The endpoint accepted the ping.').waitFor()
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { name: 'CHU Nord, renamed' })
      const [first] = await receiver.until('/console', (received) => received.length > 0)
      await act(page, url, 'Log')
      await act(page, 'facility.updated', 'Send again')
      const [, again] = await receiver.until('/console', (received) => received.length > 1)
      assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])
      await button(page.getByRole('dialog'), 'Close').first().click()
      await act(page, url, 'Disable')
      await page.getByText('disabled', { exact: true }).waitFor()
      await act(page, url, 'Enable')
      await page.getByText('active', { exact: true }).waitFor()
      await act(page, url, 'Remove')
      await button(page.getByRole('dialog'), 'Remove').click()
      await page.getByText('No webhooks yet').waitFor()
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { name: 'CHU Nord' })
    })

    test('a failing webhook is found from the overview, shown with its response, and retried at once', async () => {
      const url = `${receiver.url}/failing`
      const { webhook } = (await desk().ask('POST /cms/v1/partners/ward/webhooks', { url, types: '*' })).body
      const rename = (name: string) => desk().ask('PATCH /cms/v1/facilities/chu-nord', { name })
      await rename('Before it fails')
      const [first] = await receiver.until('/failing', (received) => received.length > 0)
      receiver.answers('/failing', (_, response) => void response.writeHead(500).end('no space left on device'))
      await rename('While it fails')
      const page = await desk().visit('/')
      const notice = page.getByRole('listitem').filter({ hasText: url })
      await notice.getByText('started failing').waitFor()
      await notice.getByRole('link').click()
      const tab = page.getByRole('tab', { name: 'Webhooks' })
      await tab.getByLabel('1 webhook is failing').waitFor()
      await page.getByText('response status 500').filter({ visible: true }).first().waitFor()
      await page.getByText('next attempt').filter({ visible: true }).first().waitFor()
      await act(page, url, 'Log')
      const log = page.getByRole('dialog')
      await log.getByText('no space left on device').waitFor()
      receiver.answers('/failing', (_, response) => void response.writeHead(204).end())
      await button(log, 'Send now').click()
      await page.getByText('Sending now.').waitFor()
      await log.getByText('no space left on device').waitFor({ state: 'hidden' })
      await button(log, 'Close').first().click()
      await tab.getByLabel('1 webhook is failing').waitFor({ state: 'hidden' })
      await act(page, url, 'Log')
      // The event that failed is one row, whose attempts are shown on demand.
      const events = log.locator('tbody tr[aria-rowindex]')
      await becomes(() => events.count(), 2)
      await log.getByText('While it fails · chu-nord').filter({ visible: true }).first().waitFor()
      await log.getByText(first?.body.id).waitFor()
      await button(log, /^\d attempts facility.updated$/).click()
      await becomes(async () => (await events.count()) >= 4, true)
      assert.deepEqual(await axeOn(page), [])
      await act(log.getByRole('row', { name: first?.body.id }), 'facility.updated', 'From here on')
      const range = page.getByRole('dialog', { name: 'Send a range again' })
      const from = range.getByRole('textbox', { name: 'From this event' }).or(range.getByRole('combobox')).first()
      await becomes(async () => /facility\.updated · chu-nord$/.test(await from.inputValue()), true)
      await choose(page, 'until this event', (await from.inputValue()) as string)
      assert.deepEqual(await axeOn(page), [])
      await button(range, 'Send again').click()
      await page.getByText('Sending again.').waitFor()
      const again = await receiver.until('/failing', (received) => timesOf(received, first) >= 2)
      assert.ok(again.length >= 3)
      await desk().ask(`DELETE /cms/v1/partners/ward/webhooks/${webhook.id}`)
      await rename('CHU Nord')
    })

    test('a partner is permitted to manage its own webhooks', async () => {
      const may = async () => (await desk().atrium.ask('GET /v1/webhooks', { as: 'bare' })).status
      assert.equal(await may(), 403)
      const page = await desk().visit('/partners/bare?tab=settings')
      await page.getByRole('checkbox', { name: 'Manages its own webhooks' }).check()
      await button(page, 'Save').click()
      await isSaved(page)
      assert.equal(await may(), 200)
    })
  })
}
