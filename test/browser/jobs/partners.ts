import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { act, becomes, button, choose, type Desk, field, isSaved, readSecret } from '../desk.ts'

export function partnerJobs(desk: () => Desk): void {
  const v1 = (request: string, as: string, body?: unknown) =>
    desk().atrium.ask(request, { as, ...(body !== undefined && { body }) })

  describe('partners', () => {
    test('a change of permissions is rehearsed on past requests, saved, and in force at once', async () => {
      const rename = () => v1('PATCH /v1/facilities/lyon-01/ssid_public', 'hotelier', { value: 'Guests' })
      assert.equal((await rename()).status, 403)
      assert.equal((await v1('GET /v1/facilities/lyon-01/areas', 'hotelier')).status, 200)
      const logged = async () => (await desk().ask('GET /cms/v1/requests?partner=hotelier')).body.length
      await becomes(logged, 2)
      const page = await desk().visit('/partners/hotelier')
      await page.getByRole('checkbox', { name: 'Read: Rooms' }).nth(1).uncheck()
      await page.getByRole('checkbox', { name: 'Write: Public Wi-Fi' }).first().check()
      await button(page, 'Rehearse this change').click()
      await page.getByText('Of 2 requests, 1 would be refused and 1 newly allowed.').waitFor()
      await page.getByRole('row', { name: /would be refused Read the rooms GET .*areas/ }).waitFor()
      await page
        .getByRole('row', { name: /would be allowed Change the public Wi-Fi network PATCH .*ssid_public/ })
        .waitFor()
      await page.getByRole('checkbox', { name: 'Read: Rooms' }).nth(1).check()
      await button(page, 'Save').click()
      await isSaved(page)
      assert.equal((await rename()).status, 200)
      assert.equal((await v1('GET /v1/facilities/lyon-01/areas', 'hotelier')).status, 200)
    })

    test('a new partner is granted a facility, and can read it', async () => {
      const page = await desk().visit('/partners')
      await button(page, 'Add partner').click()
      await field(page, 'Name').fill('Lift supplier')
      await field(page, 'ID').fill('lifts')
      await button(page, 'Create').click()
      await page.getByText('No permissions: this partner sees nothing').waitFor()
      await button(page, 'Add permission').click()
      await page.getByPlaceholder('Name or ID').fill('chu')
      await page.getByRole('option', { name: /chu-nord/ }).click()
      await page.getByRole('checkbox', { name: 'Read: All' }).check()
      await button(page, 'Save').click()
      await isSaved(page)
      const { grants } = (await desk().ask('GET /cms/v1/partners/lifts')).body
      assert.deepEqual(grants, [{ facilities: ['chu-nord'], read: '*', write: [], rooms: [] }])
      await page.getByRole('tab', { name: 'By facility' }).click()
      await page.getByRole('cell', { name: 'CHU Nord' }).waitFor()
    })

    test('a contract is checked on samples while typing, and saved', async () => {
      const page = await desk().visit('/partners/ward?tab=contract')
      const schema = page.getByRole('textbox', { name: /^Contract/ })
      await schema.fill('{"required": ["ward"]}')
      await page.getByText('does not satisfy the contract').waitFor()
      await page.getByRole('textbox', { name: /^Sample/ }).fill('[{"code": "tv", "ward": 3}, {"code": "tv"}]')
      await page.getByText('satisfies the contract').first().waitFor()
      await schema.fill('{"required": ')
      await page.getByText('This is not valid JSON.').waitFor()
      await schema.fill('{"type": 7}')
      await page.getByText(/The contract itself is not a valid JSON Schema/).waitFor()
      await schema.fill('{"required": ["ward"]}')
      await button(page, 'Save').click()
      await isSaved(page)
      assert.deepEqual((await desk().ask('GET /cms/v1/partners/ward')).body.contract, { required: ['ward'] })
      await desk().ask('PATCH /cms/v1/partners/ward', { contract: null })
    })
  })

  describe('tokens', () => {
    const me = async (secret: string) => (await v1('GET /v1/me', secret)).status

    test('a token is created, shown once with a copy button, renamed and limited to addresses', async () => {
      const page = await desk().visit('/partners/hotelier?tab=tokens')
      await button(page, 'New token').click()
      await field(page, 'Name').fill('lobby')
      await button(page, 'Create').click()
      const dialog = page.getByRole('dialog', { name: 'The new secret' })
      const secret = (await dialog.locator('[data-secret]').textContent()) ?? ''
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(dialog, 'Copy').click()
      await button(dialog, 'Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
      await button(dialog, 'Close').last().click()
      assert.equal(await me(secret), 200)
      await act(page, 'lobby', 'Edit')
      await field(page, 'Name').fill('lobby screens')
      await page.getByLabel('Expires').fill('2099-12-31')
      await field(page, 'Allowed addresses').fill('10.0.0.0/8, 2001:db8::/32')
      await button(page, 'Save').click()
      await page.getByRole('row', { name: /lobby screens.*10\.0\.0\.0\/8/ }).waitFor()
      assert.equal(await page.getByText(secret).count(), 0)
      assert.equal(await me(secret), 403)
      const tokens = (await desk().ask('GET /cms/v1/partners/hotelier/tokens')).body
      const { expires_at, allowed_ranges } = tokens.find(({ name }: { name: string }) => name === 'lobby screens')
      assert.deepEqual([expires_at.slice(0, 4), allowed_ranges], ['2099', ['10.0.0.0/8', '2001:db8::/32']])
    })

    test('a token that was issued elsewhere is imported by its hash, after an input that is no hash', async () => {
      const secret = 'opaque-secret-of-the-old-installation'
      const page = await desk().visit('/partners/hotelier?tab=tokens')
      await button(page, 'Import a token').click()
      const dialog = page.getByRole('dialog', { name: 'Import a token' })
      await field(dialog, 'Name').fill('tills')
      await field(dialog, 'SHA-256').fill(secret)
      await button(dialog, 'Import').click()
      await dialog
        .getByText(/^Must be a SHA-256/)
        .last()
        .waitFor()
      await field(dialog, 'SHA-256').fill(createHash('sha256').update(secret).digest('hex'))
      await button(dialog, 'Import').click()
      await page.getByRole('row', { name: /tills.*imported, rotate by/ }).waitFor()
      assert.equal(await me(secret), 200)
    })

    test('a token is rotated with a grace period, marked when it is safe to revoke, and revoked', async () => {
      const made = (await desk().ask('POST /cms/v1/partners/ward/tokens', { name: 'ward tablets' })).body
      const page = await desk().visit('/partners/ward?tab=tokens')
      await act(page, 'ward tablets', 'Rotate')
      await choose(page, 'Keep the old one working for', '30 days')
      await button(page.getByRole('dialog'), 'Rotate').click()
      const dialog = page.getByRole('dialog', { name: 'The new secret' })
      const secret = await readSecret(dialog)
      const old = page.getByRole('row', { name: new RegExp(made.token.id) })
      await old.getByText('replaced').waitFor()
      assert.equal(await me(secret), 200)
      await becomes(async () => {
        await page.reload()
        await old.waitFor()
        return old.getByText('safe to revoke').count()
      }, 1)
      await act(old, 'ward tablets', 'Revoke')
      await button(page.getByRole('dialog'), 'Revoke').click()
      await old.getByText('revoked', { exact: true }).waitFor()
      assert.deepEqual([await me(made.secret), await me(secret)], [401, 200])
    })
  })
}
