import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Response } from 'playwright-core'
import { button, choose, type Desk, field, readSecret } from '../desk.ts'

export function sandboxJobs(desk: () => Desk): void {
  describe('sandboxes', () => {
    test('a sandbox is created, gets a token, is moved in time, reset and removed', async () => {
      const { page } = desk()
      const refused: string[] = []
      const note = (response: Response) => void (response.status() >= 400 && refused.push(response.url()))
      page.on('response', note)
      await desk().visit('/partners/hotelier?tab=sandbox')
      await button(page, 'Create a sandbox').click()
      // A missing sandbox must not be an error response, which browsers would log on every visit.
      assert.deepEqual(refused, [])
      page.off('response', note)
      await button(page.getByRole('dialog'), 'Create').click()
      await page
        .getByText(/must name 1 to 20 facilities/)
        .first()
        .waitFor()
      await choose(page, 'Facilities to copy', /lyon-01/)
      await page.keyboard.press('Tab')
      await button(page.getByRole('dialog'), 'Create').click()
      await page.getByText('copy of lyon-01').waitFor()
      const { body } = await desk().ask('GET /cms/v1/partners/hotelier/sandbox')
      await button(page, 'New token').click()
      await field(page, 'Name').fill('try')
      await button(page.getByRole('dialog'), 'Create').click()
      const secret = await readSecret(page.getByRole('dialog'))
      assert.match(secret, /^atr_test_/)
      const hotel = body.facilities[0].id_external
      const rename = { as: secret, body: { value: 'Broken' } }
      assert.equal((await desk().atrium.ask(`PATCH /v1/facilities/${hotel}/name`, rename)).status, 200)
      await button(page, '1 day').click()
      await page.getByText('The clock was advanced.').waitFor()
      await page.getByText('Broken').waitFor()
      const moved = await desk().ask('GET /cms/v1/partners/hotelier/sandbox')
      assert.equal(moved.body.clock.ahead_seconds, 86_400)
      await button(page, 'Reset').click()
      await button(page.getByRole('dialog'), 'Reset').click()
      await page.getByText('The sandbox has been reset.').waitFor()
      await page.getByText('real time', { exact: true }).waitFor()
      await page.getByText('Hôtel Bellecour').first().waitFor()
      await button(page, 'Remove sandbox').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(body.id)
      await button(dialog, 'Remove sandbox').click()
      await page.getByText('No sandbox yet').waitFor()
    })
  })
}
