import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Receiver, startReceiver, verify } from '../../harness/receiver.ts'
import { button, type Desk, field, isSaved, readSecret } from '../desk.ts'

export function webhookJobs(desk: () => Desk): void {
  describe('webhooks', () => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
    })
    after(() => receiver[Symbol.asyncDispose]())

    test('one is added once it answers, tried, followed in its log, sent again, switched off and removed', async () => {
      const url = `${receiver.url}/console`
      const page = await desk().visit('/partners/ward?tab=webhooks')
      await button(page, 'Add webhook').click()
      receiver.answers('/console', (_, response) => void response.writeHead(404).end())
      await field(page, 'Address').fill(url)
      await button(page.getByRole('dialog'), 'Add').click()
      await page.getByText('The ping was not taken: answered 404. Nothing was changed.').waitFor()
      receiver.answers('/console', (_, response) => void response.writeHead(200).end())
      await button(page.getByRole('dialog'), 'Add').click()
      const shown = page.getByRole('dialog', { name: 'The secret of the webhook' })
      const secret = await readSecret(shown)
      verify(secret, receiver.received.findLast(({ path }) => path === '/console') as never)
      await button(page, `Ping ${url}`).click()
      await page.getByText('The ping was taken.').waitFor()
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { name: 'CHU Nord, renamed' })
      const [first] = await receiver.until('/console', (received) => received.length > 0)
      await button(page, `Log ${url}`).click()
      await button(page, 'Send again facility.updated').first().click()
      const [, again] = await receiver.until('/console', (received) => received.length > 1)
      assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])
      await button(page.getByRole('dialog'), 'Close').first().click()
      await button(page, `Switch off ${url}`).click()
      await page.getByText('switched off', { exact: true }).waitFor()
      await button(page, `Switch on ${url}`).click()
      await page.getByText('active', { exact: true }).waitFor()
      await button(page, `Remove ${url}`).click()
      await button(page.getByRole('dialog'), 'Remove').click()
      await page.getByText('No webhooks yet').waitFor()
      await desk().ask('PATCH /cms/v1/facilities/chu-nord', { name: 'CHU Nord' })
    })

    test('a partner is allowed to keep its own', async () => {
      const may = async () => (await desk().atrium.ask('GET /v1/webhooks', { as: 'bare' })).status
      assert.equal(await may(), 403)
      const page = await desk().visit('/partners/bare?tab=settings')
      await page.getByRole('checkbox', { name: 'Keeps its own webhooks' }).check()
      await button(page, 'Save').click()
      await isSaved(page)
      assert.equal(await may(), 200)
    })
  })
}
