import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locator, Route } from 'playwright-core'
import { becomes, button, type Desk, field, isSaved } from '../desk.ts'

const csv = (...lines: string[]) => ({
  name: 'rooms.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['id,name', ...lines].join('\n')),
})

/** Starts a change that stays open until it is ended; other writes wait for it. */
async function othersWrite({ atrium }: Desk) {
  const begun = Promise.withResolvers<void>()
  const wanted = Promise.withResolvers<void>()
  const written = atrium.service.db.write(async (tx) => {
    await tx.lock('atrium estate')
    begun.resolve()
    await wanted.promise
  })
  await begun.promise
  return {
    end: () => {
      wanted.resolve()
      return written
    },
  }
}

export function roomJobs(desk: () => Desk): void {
  const area = async (id: string) => (await desk().ask(`GET /cms/v1/areas/${id}`)).body

  describe('rooms', () => {
    test('a file is imported after a preview of each row', async () => {
      const page = await desk().visit('/facilities/nice-02')
      await button(page, 'Import CSV').click()
      const dialog = page.getByRole('dialog', { name: 'Import CSV' })
      const choose = dialog.locator('input[type=file]').or(page.locator('input[type=file]')).first()
      const damaged = {
        name: 'rooms.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('id,name\nA-1,H\xf4tel', 'latin1'),
      }
      await choose.setInputFiles(damaged)
      await dialog.getByText('The file or text is not in UTF-8').waitFor()
      await choose.setInputFiles(csv('A-1,Flat A1', 'A-2,', 'A-3,Flat A3'))
      await dialog.getByText('1 new, 0 changed, 1 unchanged, 1 with errors').waitFor()
      assert.ok(await button(dialog, 'Import').isDisabled())
      await dialog.getByRole('checkbox', { name: 'Show only rows with errors' }).check()
      await becomes(() => dialog.locator('tbody tr[aria-rowindex]').count(), 1)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button(dialog, 'Copy errors').click()
      assert.match(await page.evaluate('navigator.clipboard.readText()'), /^3\tA-2\t\t/)
      await choose.setInputFiles(csv('loft (2),Loft'))
      await dialog.getByText('Spaces and symbols are allowed in an ID').waitFor()
      await choose.setInputFiles(csv('A-1,Flat A1 renewed', 'A-3,Flat A3'))
      await dialog.getByText('1 new, 1 changed, 0 unchanged, 0 with errors').waitFor()
      await dialog.getByText('name: Flat A1 → Flat A1 renewed').waitFor()
      assert.equal((await area('nice-02-A-1')).name, 'Flat A1')
      const others = await othersWrite(desk())
      await button(dialog, 'Import').click()
      await dialog.getByText('Importing rooms: 0 of 2').waitFor()
      await others.end()
      await page.getByText('Imported 2 rooms').waitFor()
      assert.deepEqual(
        [(await area('nice-02-A-1')).name, (await area('nice-02-A-3')).name],
        ['Flat A1 renewed', 'Flat A3'],
      )
    })

    test('a room is opened, gets a service, and is closed after a warning; partners see it at once', async () => {
      const page = await desk().visit('/facilities/chu-nord?room=214')
      const room = page.getByRole('dialog', { name: 'Room 214' })
      await button(room, 'Open room').click()
      await room.getByText('open', { exact: true }).waitFor()
      await field(room, 'Code').fill('tv')
      await field(room, 'Label').fill('Premium TV')
      await button(room, 'Add service').click()
      await button(room, 'Remove Premium TV').waitFor()
      const seen = () => desk().atrium.ask('GET /v1/areas/chu-nord-214/', { as: 'ward' })
      assert.deepEqual(
        (await seen()).body.data_services.map(({ code }: { code: string }) => code),
        ['tv'],
      )
      await button(room, 'Close room').click()
      const question = page.getByRole('dialog', { name: 'Close room: 214' })
      await question.getByText(/will end. 1 service will be permanently deleted/).waitFor()
      await button(question, 'Close room').click()
      await room.getByText('closed', { exact: true }).waitFor()
      assert.equal((await seen()).body.opened_at, null)
    })

    test('rooms are also opened where the installation has no services, and renamed', async () => {
      const page = await desk().visit('/facilities/lyon-01?room=2')
      const room = page.getByRole('dialog', { name: 'Room 2' })
      await button(room, 'Open room').click()
      await room.getByText('open', { exact: true }).waitFor()
      assert.equal(await button(room, 'Add service').count(), 0)
      await field(room, 'Name').fill('Room Two')
      await button(room, 'Save').click()
      await isSaved(page)
      assert.equal((await area('lyon-01-2')).name, 'Room Two')
    })

    test('a room beyond the first page is found by its address', async () => {
      await desk().ask('POST /cms/v1/facilities', { id_external: 'tower', name: 'Tower' })
      await desk().ask('POST /cms/v1/facilities/tower/areas', { range: '1001-1150' })
      const page = await desk().visit('/facilities/tower?room=1149')
      await page.getByRole('dialog').getByText('tower-1149').waitFor()
    })

    test('an unknown room in the address is reported', async () => {
      const page = await desk().visit('/facilities/tower?room=9999')
      await page.getByText('This facility has no room 9999.').waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
    })

    test('rooms are removed after a warning of what is lost', async () => {
      await desk().ask('POST /cms/v1/areas/tower-1001/open')
      const page = await desk().visit('/facilities/tower')
      await page.getByRole('checkbox', { name: 'Select Room 1001' }).check()
      await page.getByRole('checkbox', { name: 'Select Room 1002' }).check()
      await button(page, 'Remove 2 rooms').click()
      const question = page.getByRole('dialog')
      await question.getByText('2 rooms (1 open)').waitFor()
      await button(question, 'Remove 2 rooms').click()
      await becomes(async () => (await desk().ask('GET /cms/v1/facilities/tower')).body.areas_count, 148)
    })
  })

  describe('the list that installers see', () => {
    const entries = async () =>
      (await desk().ask('GET /cms/v1/facilities/lyon-01/list')).body.entries.map(({ id }: { id: string }) => id)

    test('differences are shown, the list is filled from the rooms, and ordered with keys and by dragging', async () => {
      const page = await desk().visit('/facilities/lyon-01?tab=list')
      await page.getByText('Not listed: installers cannot choose this room (2)').waitFor()
      await button(page, 'Fill from rooms').click()
      await button(page, 'Move Suite Étoile').focus()
      await page.keyboard.press('Alt+ArrowDown')
      const ids = page.getByRole('textbox', { name: 'ID' })
      const shown = async () => Promise.all((await ids.all()).map((one) => one.inputValue()))
      await becomes(shown, ['2', '101', '10', 'bar'])
      await button(page, 'Move Lounge bar').dragTo(button(page, /^Move Room (2|Two)/))
      await becomes(shown, ['bar', '2', '101', '10'])
      assert.equal(await page.getByText('Your unsaved changes have been restored.').count(), 0)
      await button(page, 'Save').click()
      await isSaved(page)
      assert.deepEqual(await entries(), ['bar', '2', '101', '10'])
      await page.getByText('The list and the rooms agree.').waitFor()
    })
  })

  test('a list is not filled beyond its limit, and the save bar does not cover errors', async () => {
    await desk().ask('POST /cms/v1/facilities', { id_external: 'long-01', name: 'Long' })
    await desk().ask('POST /cms/v1/facilities/long-01/areas', { range: '1-3' })
    const page = await desk().visit('/facilities/long-01?tab=list')
    const few = async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), max_entries: 2 } })
    }
    await page.route('**/long-01/list', few)
    await page.reload()
    await page.getByText('With all rooms the list would have 3 entries; it can hold 2.').first().waitFor()
    await button(page, 'Fill from rooms').click({ force: true })
    assert.equal(await button(page, 'Save').count(), 0)
    await page.unroute('**/long-01/list')
    await page.reload()
    await button(page, 'Fill from rooms').click()
    await page.getByRole('textbox', { name: 'ID' }).nth(1).fill('1')
    await button(page, 'Save').click()
    const said = page.getByText('Line 2, ID: "1" is repeated')
    await said.waitFor()
    assert.ok(await isInSight(said), 'the error is behind something')
    assert.equal(await page.getByRole('textbox', { name: 'ID' }).nth(1).getAttribute('aria-invalid'), 'true')
    await button(page, 'Discard changes').click()
  })

  test('devices are added, changed and removed', async () => {
    const devices = async () => (await desk().ask('GET /cms/v1/facilities/chu-nord')).body.devices
    const page = await desk().visit('/facilities/chu-nord?tab=devices')
    await button(page, 'Add device').click()
    await field(page, 'ID').fill('tv-214')
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'bedside terminal' }).click()
    await page.getByRole('combobox', { name: 'Status' }).fill('under repair')
    await field(page, 'Room').fill('214')
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'tv-214', exact: true }).click()
    await field(page, 'Serial number').fill('SN-1')
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'SN-1' }).waitFor()
    const [device] = await devices()
    assert.deepEqual(
      [device.id, device.type, device.status, device.serial, device.area],
      ['tv-214', 'bedside_terminal', 'under repair', 'SN-1', '214'],
    )
    await button(page, 'Remove device tv-214').click()
    await button(page.getByRole('dialog'), 'Remove device tv-214').click()
    await page.getByText('No devices yet').waitFor()
    assert.deepEqual(await devices(), [])
  })
}

/** Returns whether a click on the middle of the element would hit it. */
const isInSight = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })
