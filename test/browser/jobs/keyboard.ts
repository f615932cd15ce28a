import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { becomes, button, type Desk, field, isSaved } from '../desk.ts'

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not lead to ${target}`)
}

const hasFocus = (target: Locator) => target.evaluate((one) => one === one.ownerDocument.activeElement)

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types into the palette once it is open and has the focus. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page, 'Control+K')
  await becomes(() => hasFocus(page.getByPlaceholder('Find or go to…')), true)
  await page.keyboard.type(text)
}

export function keyboardJobs(desk: () => Desk): void {
  test('the palette, the search, arrows and Enter lead to a facility', async () => {
    const page = await desk().visit('/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await find(page, 'facil')
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Facilities' }).waitFor()
    await page.getByPlaceholder('Find or go to…').waitFor({ state: 'hidden' })
    const rows = page.locator('tbody tr[aria-rowindex]')
    await becomes(() => rows.count(), 3)
    await press(page, '/')
    await page.keyboard.type('0')
    await becomes(() => rows.count(), 2)
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowUp')
    assert.ok(await hasFocus(rows.first()))
    await press(page, 'ArrowDown', 'Enter')
    await page.waitForURL('**/facilities/nice-02')
  })

  test('keys typed while the palette opens are not lost', async () => {
    const page = await desk().visit('/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    // Types without a pause, as an experienced user does.
    await press(page, 'Control+K', 'f', 'a', 'c', 'i', 'l')
    await becomes(() => page.getByPlaceholder('Find or go to…').inputValue(), 'facil')
    await becomes(() => hasFocus(page.getByPlaceholder('Find or go to…')), true)
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Facilities' }).waitFor()
  })

  test('a dialog traps the focus and restores it', async () => {
    const page = await desk().visit('/facilities')
    const add = button(page, 'Add facility')
    await tabTo(page, add)
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog')
    await becomes(() => hasFocus(field(dialog, 'Name')), true)
    for (let presses = 0; presses < 9; presses++) {
      await press(page, 'Tab')
      assert.equal(await dialog.locator(':focus').count(), 1)
    }
    await press(page, 'Escape')
    await becomes(() => hasFocus(add), true)
  })

  test('a facility with rooms is created and granted to a partner without a mouse', async () => {
    const page = await desk().visit('/facilities')
    await tabTo(page, button(page, 'Add facility'))
    await press(page, 'Enter')
    await becomes(() => hasFocus(field(page, 'Name')), true)
    await page.keyboard.type('Hôtel des Touches')
    await press(page, 'Tab')
    await page.keyboard.type('keys-01')
    await press(page, 'Enter')
    await tabTo(page, button(page, 'Add rooms'))
    await press(page, 'Enter')
    await becomes(() => hasFocus(field(page, 'Range')), true)
    await page.keyboard.type('101-110')
    await press(page, 'Enter')
    await page.getByText('10 rooms added').waitFor()
    await find(page, 'stranger')
    await page.getByText('stranger', { exact: true }).waitFor()
    await becomes(() => page.locator('[data-action]').count(), 1)
    await becomes(() => page.locator('[data-action][data-selected]').count(), 1)
    await press(page, 'Enter')
    await page.getByRole('heading', { name: 'Sees nothing' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tabTo(page, button(page, 'Add permission'))
    await press(page, 'Enter')
    await press(page, 'Shift+Tab')
    await tabTo(page, page.getByPlaceholder('Name or ID'))
    await page.keyboard.type('keys-01')
    await press(page, 'Enter')
    await tabTo(page, page.getByRole('checkbox', { name: 'Read: Rooms' }))
    await press(page, 'Space')
    await tabTo(page, button(page, 'Save'))
    await press(page, 'Enter')
    await isSaved(page)
    const { body } = await desk().atrium.ask('GET /v1/facilities/keys-01/areas', { as: 'stranger' })
    assert.equal(body.length, 10)
  })
}
