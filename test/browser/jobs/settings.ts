import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { axeOn, open } from '../console.ts'
import { act, becomes, button, choose, type Desk, field, isSaved, readSecret } from '../desk.ts'

export function settingsJobs(desk: () => Desk): void {
  const operators = async () => (await desk().ask('GET /cms/v1/operators')).body
  const named = async (name: string) => (await operators()).find((one: { name: string }) => one.name === name)

  describe('settings', () => {
    test('an operator is created, signs in with a link, gets another role, and is disabled', async () => {
      const page = await desk().visit('/settings')
      await button(page, 'Add operator').click()
      await field(page, 'Name').fill('Ada')
      await field(page, 'Email').fill('ada@example.com')
      await choose(page, 'Role', /^editor/)
      await button(page, 'Save').click()
      // Without a password the operator can sign in only with the link, which is shown at once, and again on demand.
      const dialog = page.getByRole('dialog', { name: /Sign-in link for Ada: works once/ })
      await readSecret(dialog)
      await act(page, 'Ada', 'Sign-in link')
      const link = await readSecret(dialog)
      const visitor = await open(desk().browser)
      await visitor.page.goto(link)
      await visitor.page.getByRole('heading', { name: 'Overview' }).waitFor()
      await visitor.page.goto('about:blank')
      await visitor.page.goto(link)
      await visitor.page.getByText('This link has already been used or has expired.', { exact: false }).waitFor()
      await page.getByRole('row', { name: /^Ada/ }).click()
      await choose(page, 'Role', /^viewer/)
      await page.getByRole('checkbox', { name: /^Disable/ }).check()
      await button(page, 'Save').click()
      await page.getByRole('row', { name: /^Ada.*disabled/ }).waitFor()
      assert.equal((await named('Ada')).role, 'viewer')
      await visitor.page.goto(`${desk().atrium.url}/console/facilities`)
      await visitor.page.waitForURL('**/console/sign-in?to=*')
      await visitor.context.close()
      await act(page, 'Ada', 'Remove')
      await button(page.getByRole('dialog'), 'Remove operator').click()
      await becomes(() => named('Ada'), undefined)
    })

    test('a key is created, works, and is revoked', async () => {
      const page = await desk().visit('/settings?tab=keys')
      await button(page, 'New key').click()
      await field(page, 'Name').fill('nightly')
      await button(page, 'Create').click()
      const dialog = page.getByRole('dialog', { name: 'The new secret' })
      // The focus starts at the next step. Escape neither discards the secret nor leaves the operator in the form.
      await becomes(() => button(dialog, 'Copy').evaluate((one) => one === one.ownerDocument.activeElement), true)
      await page.keyboard.press('Escape')
      await dialog.getByText('It has not been copied and cannot be shown again. Close anyway?').waitFor()
      assert.deepEqual(await axeOn(page), [])
      await page.keyboard.press('Enter')
      await button(dialog, 'Copy').waitFor()
      const as = await readSecret(dialog)
      assert.equal((await desk().atrium.ask('GET /cms/v1/me', { as })).status, 200)
      await act(page, 'nightly', 'Revoke')
      await button(page.getByRole('dialog'), 'Revoke').click()
      await page.getByText('revoked', { exact: true }).waitFor()
      assert.equal((await desk().atrium.ask('GET /cms/v1/me', { as })).status, 401)
    })

    test('limits and retention are changed, and a value out of range is refused in plain words', async () => {
      const page = await desk().visit('/settings?tab=installation')
      await field(page, 'Request log: days').fill('14')
      await field(page, 'Partners: refused requests').fill('-3')
      assert.equal(await field(page, 'Partners: refused requests').inputValue(), '-3')
      await button(page, 'Save').click()
      await page
        .getByRole('alert')
        .getByText(/must be a whole number from 1 to 1000000/)
        .waitFor()
      await page.getByText('Must be a whole number from 1 to 1000000.', { exact: true }).waitFor()
      await field(page, 'Partners: refused requests').fill('60')
      await button(page, 'Save').click()
      await isSaved(page)
      const { request_log_days, many_refused } = (await desk().ask('GET /cms/v1/settings')).body
      assert.deepEqual([request_log_days, many_refused], [14, 60])
      await page.getByRole('tab', { name: 'About' }).click()
      await page.getByText(process.versions.node).waitFor()
    })
  })
}
