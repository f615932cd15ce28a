import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { axeOn } from './console.ts'
import { atDesks, becomes, button, isSaved } from './desk.ts'
import { manyEstate } from './many-facilities.ts'
import { narrowWidth, outOfReach } from './narrow.ts'

atDesks(
  'grants',
  (desk) => {
    const helios = async () => (await desk().ask('GET /cms/v1/partners/helios')).body
    const right = (name: string) => desk().page.getByRole('checkbox', { name, exact: true }).first()
    const question = () => desk().page.getByRole('dialog', { name: 'Remove permissions?' })
    const visit = async () => {
      const page = await desk().visit('/partners/helios')
      await page.getByText('Show 47 more').waitFor()
      return page
    }

    beforeEach(async () => {
      await desk().ask('PATCH /cms/v1/partners/helios', { grants: manyEstate.partners.at(-1)?.grants })
      await desk().page.evaluate('localStorage.removeItem("atrium-draft:/partners/helios")')
    })

    describe('facilities of a grant', () => {
      const pick = () => desk().page.getByPlaceholder('Name or ID').last()
      const chips = () => desk().page.locator('[class*=chip]').allInnerTexts()

      test('are found by name, pasted as a list, and typed with commas', async () => {
        const page = await visit()
        await button(page, 'Remove this permission').click()
        await button(page, 'Add permission').click()
        await pick().fill('alpes gren')
        await page.getByRole('option', { name: /Clinique des Alpes Grenoble 11 · grenoble-11/ }).click()
        await becomes(chips, ['Clinique des Alpes Grenoble 11 · grenoble-11'])
        await paste(pick(), 'pau-10, pau-11;pau-12 lyon-12\nnice-13')
        await becomes(async () => (await chips()).length, 6)
        await pick().fill('pau-14, ')
        await pick().fill('Clinique des Alpes Paris 15')
        await page.getByRole('option', { name: /paris-15/ }).waitFor()
        await pick().press('Enter')
        await button(page, 'Show 2 more').click()
        await becomes(
          async () => (await chips()).map((chip) => chip.split(' · ')[1]),
          ['grenoble-11', 'pau-10', 'pau-11', 'pau-12', 'lyon-12', 'nice-13', 'pau-14', 'paris-15'],
        )
        await button(page, 'Save').click()
        await button(question(), 'Remove and save').click()
        await isSaved(page)
        assert.equal((await helios()).grants[0].facilities.length, 8)
      })

      test('that do not exist are marked before they are saved, and are corrected or removed', async () => {
        const page = await visit()
        await paste(pick(), 'pau-97; pau-98, pau-19')
        await page.getByText('No such facility: pau-97, pau-98').waitFor()
        assert.deepEqual((await chips()).slice(0, 2), ['pau-97', 'pau-98'])
        await button(page, 'Correct pau-97: no such facility').click()
        assert.equal(await pick().inputValue(), 'pau-97')
        await pick().fill('pau-21')
        await pick().press('Enter')
        await button(page, 'Save').click()
        // The API refuses the marked value; the error is shown next to the field, and under no other tab.
        await page.getByRole('alert').getByText('Permission 1, “pau-98”: no facility has the ID pau-98').waitFor()
        await page.getByRole('tab', { name: 'Tokens' }).click()
        await page.getByText('No tokens yet').or(page.getByText('anywhere')).first().waitFor()
        assert.equal(await page.getByRole('alert').count(), 0)
        assert.equal(await button(page, 'Save').count(), 0)
        await page.getByRole('tab', { name: 'Permissions unsaved changes' }).click()
        await button(page, 'Remove it').click()
        await button(page, 'Save').click()
        await isSaved(page)
        const { facilities } = (await helios()).grants[0]
        assert.deepEqual(facilities.slice(-2), ['pau-19', 'pau-21'])
      })

      test('Enter takes the first facility found, and no part of a name becomes an id', async () => {
        const page = await visit()
        await button(page, 'Remove this permission').click()
        await button(page, 'Add permission').click()
        await pick().pressSequentially('alpes greno')
        await pick().press('Enter')
        assert.deepEqual(await chips(), [])
        await page.locator('[data-combobox-selected]').filter({ hasText: 'Grenoble 10 · grenoble-10' }).waitFor()
        await pick().press('Enter')
        await becomes(chips, ['Clinique des Alpes Grenoble 10 · grenoble-10'])
        await button(page, 'Discard changes').click()
      })

      test('an id that cannot exist is named by the error', async () => {
        const page = await visit()
        await paste(pick(), 'pau-19, bad id!')
        await button(page, 'Save').click()
        await page.getByRole('alert').getByText('Permission 1, “bad id!”: must be 1 to 64').waitFor()
        await button(page, 'Discard changes').click()
      })

      test('on phones all permissions are reachable and labeled', async () => {
        const page = await visit()
        await page.setViewportSize({ width: narrowWidth, height: 844 })
        const { width = 0, x = 0 } = (await right('Room actions: Guest services').boundingBox()) ?? {}
        assert.ok(x + width < narrowWidth)
        await page.getByText('Guest services', { exact: true }).last().click()
        assert.equal(await right('Room actions: Guest services').isChecked(), false)
        const { height = 9999 } = (await page.getByRole('row').last().boundingBox()) ?? {}
        assert.ok(height < 1100, `the card of a grant is ${height} high`)
        assert.deepEqual(await outOfReach(page), [])
        assert.deepEqual(await axeOn(page), [])
        await page.setViewportSize({ width: 1280, height: 900 })
      })
    })
  },
  { which: ['sqlite'], options: async () => ({ estate: manyEstate }) },
)

/** Pastes text, as from a spreadsheet or an e-mail. */
async function paste(target: Locator, text: string): Promise<void> {
  const page = target.page()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await target.click()
  await page.keyboard.press('Control+V')
}
