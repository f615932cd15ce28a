import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Browser, Locator, Page } from 'playwright-core'
import { type Answered, type StartOptions, startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { type Engine, engines } from '../harness/databases.ts'
import { addOperator } from '../harness/operators.ts'
import { type Opened, patienceMs, signedIn } from './console.ts'

/** An administrator's environment: a server, the console in a browser, and a key for what other operators do. */
export interface Desk {
  atrium: TestAtrium
  browser: Browser
  page: Page
  /** Opens an address of the console in a new page. */
  visit(path: string): Promise<Page>
  /** Sends a request as another administrator. */
  ask(request: string, body?: unknown): Promise<Answered>
}

interface Desks {
  which?: readonly Engine[]
  options?: () => Promise<StartOptions>
}

/** Runs a suite for each engine, on a server of its own; all suites share the browser. */
export function atDesks(
  title: string,
  suite: (desk: () => Desk, engine: Engine) => void,
  { which = engines, options }: Desks = {},
): void {
  let browser: Browser | undefined
  before(async () => {
    browser = await startChromium()
  })
  after(() => browser?.close())
  for (const engine of which) {
    describe(`${title} (${engine})`, () => {
      let atrium: TestAtrium | undefined
      let opened: Opened | undefined
      let desk: Desk | undefined
      before(async () => {
        atrium = await startAtrium(engine, await options?.())
        opened = await signedIn(atrium, browser as Browser, 'admin')
        desk = await deskAt(atrium, browser as Browser, opened.page)
      })
      after(async () => {
        await opened?.context.close()
        await atrium?.stop()
      })
      suite(() => desk as Desk, engine)
      test('no script failed, opened a dialog or violated the CSP', () => assert.deepEqual(opened?.complaints, []))
    })
  }
}

async function deskAt(atrium: TestAtrium, browser: Browser, page: Page): Promise<Desk> {
  const { key } = await addOperator(atrium, 'admin', 'colleague')
  return {
    atrium,
    browser,
    page,
    visit: async (path) => {
      await page.goto(`${atrium.url}/console${path}`)
      return page
    },
    ask: (request, body) => atrium.ask(request, { as: key, ...(body !== undefined && { body }) }),
  }
}

/** Waits until the value is as wanted. Reports the last value when it does not become so. */
export async function becomes(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const end = Date.now() + patienceMs
  let found = await read()
  while (!isDeepStrictEqual(found, wanted) && Date.now() < end) {
    await sleep(30)
    found = await read()
  }
  assert.deepEqual(found, wanted)
}

/** Returns the texts of the first cells of a table, without the column of checkboxes. */
export const firstCells = (page: Page) => () => page.locator('tbody tr[aria-rowindex] td:first-child').allInnerTexts()

export async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page
    .getByRole('combobox', { name: field })
    .or(page.getByRole('textbox', { name: field }))
    .first()
    .click()
  await page.getByRole('option', { name: option }).click()
}

export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

/** Opens the menu of a table row, and runs one of its actions. */
export async function act(within: Page | Locator, row: string, action: string): Promise<void> {
  const page = 'page' in within ? within.page() : within
  await button(within, `Actions: ${row}`).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click()
}

export const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })

/** Reads a secret, and closes its dialog without copying it. */
export async function readSecret(dialog: Locator): Promise<string> {
  const secret = (await dialog.locator('[data-secret]').textContent()) ?? ''
  await button(dialog, 'Close').last().click()
  await button(dialog, 'Close without copying').click()
  await dialog.waitFor({ state: 'hidden' })
  return secret
}

export const isSaved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()
