import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeOn } from './console.ts'
import { atDesks, becomes, button, type Desk, isSaved } from './desk.ts'
import { manyEstate } from './many-facilities.ts'

const given = manyEstate.partners.at(-1) as unknown as { grants: { facilities: string[]; write: string[] }[] }
const [grant] = given.grants

/** A request of the last days that the log has with its facility, and one for which it has none. */
async function logRequests({ atrium }: Desk): Promise<void> {
  const common = { at: new Date(Date.now() - 1000).toISOString(), partner: 'helios', token: null, area: null }
  const call = { ...common, method: 'PATCH', code: null, detail: null, duration_us: 1, request_id: 'x', address: null }
  const rows = [
    { ...call, route: '/v1/facilities/:facilityExternalId/name', facility: 'lyon-10', status: 200 },
    { ...call, route: null, facility: null, status: 404 },
  ]
  await atrium.service.db.write((tx) => tx.query.insertInto('request_log').values(rows).execute())
}

/** Each way to take permissions from a partner shows which, and which requests would be refused, and asks. */
atDesks(
  'a loss of permissions',
  (desk) => {
    const grants = async () => (await desk().ask('GET /cms/v1/partners/helios')).body.grants
    const question = (page: Page) => page.getByRole('dialog', { name: 'Remove permissions?' })

    /** Checks the question, declines it, asks again, and confirms. */
    async function isAsked(page: Page, { ask, confirm }: { ask(): Promise<void>; confirm: string }): Promise<void> {
      const before = await grants()
      await ask()
      await question(page).getByText('1 request of the last 7 days would be refused').waitFor()
      await question(page)
        .getByRole('row', { name: /Rename the facility .*lyon-10/ })
        .waitFor()
      await question(page).getByText('1 more request could not be checked: it names a path').waitFor()
      assert.deepEqual(await axeOn(page), [])
      await button(question(page), 'Cancel').click()
      assert.deepEqual(await grants(), before)
      await ask()
      await button(question(page), confirm).click()
      await question(page).waitFor({ state: 'hidden' })
    }

    beforeEach(async () => {
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: given.grants })
      await desk().page.evaluate('localStorage.removeItem("atrium-draft:/partners/helios")')
      await desk().atrium.service.db.write((tx) => tx.query.deleteFrom('request_log').execute())
      await logRequests(desk())
    })

    test('by the import of an estate file, which shows it by facility first', async () => {
      const page = await desk().visit('/settings?tab=estate')
      const partners = [{ id: 'helios', grants: [{ ...grant, write: [] }] }]
      const buffer = Buffer.from(JSON.stringify({ partners }))
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose a file').click()])
      await chooser.setFiles({ name: 'estate.json', mimeType: 'application/json', buffer })
      const preview = page.getByRole('row', { name: /^changed partner helios/ })
      await preview.getByText('Removed Write: Name – 53 facilities').waitFor()
      await preview.getByText('53 facilities').click()
      await preview.getByText('Clinique des Alpes Lyon 10 · lyon-10').waitFor()
      await isAsked(page, { ask: () => button(page, 'Apply 1 change').click(), confirm: 'Remove and apply' })
      await page.getByText('Imported').waitFor()
      assert.deepEqual((await grants())[0].write, [])
    })

    test('by an import that removes the partner', async () => {
      const page = await desk().visit('/settings?tab=estate')
      await page.getByLabel('Also remove what is not in the file').check()
      const partners = manyEstate.partners.slice(0, -1)
      const buffer = Buffer.from(JSON.stringify({ partners }))
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Choose a file').click()])
      await chooser.setFiles({ name: 'estate.json', mimeType: 'application/json', buffer })
      await button(page, 'Apply 1 change').click()
      await question(page).getByText('This partner would be removed').waitFor()
      await question(page).getByText('1 request of the last 7 days would be refused').waitFor()
      await button(question(page), 'Cancel').click()
      assert.equal((await grants()).length, 1)
    })

    test('by overwriting what another operator has granted meanwhile', async () => {
      const page = await desk().visit('/partners/helios')
      await page.getByRole('checkbox', { name: 'Read: Devices', exact: true }).check()
      const theirs = [{ ...grant, write: ['name', 'ssid_public'] }]
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: theirs })
      await button(page, 'Save').click()
      const conflict = page.getByRole('dialog', { name: 'Changed in the meantime' })
      await conflict.getByText('Saved by colleague@example.com').waitFor()
      await conflict.getByText('Added Write: Public Wi-Fi – 53 facilities').waitFor()
      await conflict.getByText('Added Read: Devices – 53 facilities').waitFor()
      assert.deepEqual(await axeOn(page), [])
      await button(conflict, 'Overwrite with mine').click()
      await question(page).getByText('Write: Public Wi-Fi').waitFor()
      await button(question(page), 'Cancel').click()
      assert.deepEqual(await grants(), theirs)
      await button(conflict, 'Overwrite with mine').click()
      await button(question(page), 'Remove and save').click()
      await isSaved(page)
      const [saved] = await grants()
      assert.deepEqual([saved.read, saved.write], [['address', 'devices', 'areas'], ['name']])
    })

    test('by the undo of a permission that was added', async () => {
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: [{ ...grant, write: [] }] })
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: given.grants })
      const page = await desk().visit('/audit?partner=helios')
      await page.locator('tbody tr[aria-rowindex="1"]').click()
      const entry = page.getByRole('dialog', { name: /^Entry \d/ })
      await entry.getByText('Added Write: Name – 53 facilities').waitFor()
      await isAsked(page, {
        ask: () => button(entry, 'Undo').click(),
        confirm: 'Remove and undo the change',
      })
      await page.getByText('Change undone').waitFor()
      await becomes(async () => (await grants())[0].write, [])
    })

    test('but not by the undo of one that was removed', async () => {
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: [{ ...grant, write: [] }] })
      const page = await desk().visit('/audit?partner=helios')
      await page.locator('tbody tr[aria-rowindex="1"]').click()
      const entry = page.getByRole('dialog', { name: /^Entry \d/ })
      await entry.getByText('Removed Write: Name – 53 facilities').waitFor()
      const { y = 0, height = 0 } = (await button(entry, 'Undo').boundingBox()) ?? {}
      assert.ok(y + height <= 900, 'the button is in view')
      await button(entry, 'Undo').click()
      await page.getByText('Change undone').waitFor()
      assert.deepEqual((await grants())[0].write, ['name'])
    })
  },
  { which: ['sqlite'], options: async () => ({ estate: manyEstate }) },
)
