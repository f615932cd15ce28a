import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { startAtrium, type TestAtrium } from '../harness/atrium.ts'
import { startChromium } from '../harness/chromium.ts'
import { engines } from '../harness/databases.ts'
import { fillGroup } from '../harness/hospital-group.ts'
import { type Opened, signedIn } from './console.ts'
import { becomes } from './desk.ts'

const text = (count: number) => count.toLocaleString('en')

/** Compares the pages, for an estate larger than every page and limit, with the database. */
for (const engine of engines) {
  describe(`figures of the console (${engine})`, () => {
    let atrium: TestAtrium
    let browser: Browser
    let opened: Opened
    before(async () => {
      atrium = await startAtrium(engine, { estate: { facilities: [], partners: [] } })
      await fillGroup(atrium.service.db)
      browser = await startChromium()
      opened = await signedIn(atrium, browser, 'admin')
      // The lists of 300 facilities are compared in the background, which takes long on a busy machine.
      opened.page.setDefaultTimeout(120_000)
    })
    after(async () => {
      await browser?.close()
      await atrium?.stop()
    })
    const number = (query: string) =>
      atrium.service.db.read(async (tx) => {
        const { rows } = await sql<{ number: unknown }>`${sql.raw(query)}`.execute(tx.query)
        return Number(rows[0]?.number)
      })
    const visit = async (path: string) => {
      await opened.page.goto(`${atrium.url}/console${path}`)
      return opened.page
    }

    test('the overview', async () => {
      const page = await visit('/')
      const tile = (name: string) => async () =>
        (await page.locator('dl > div', { hasText: name }).innerText()).split('\n')
      const requests = (where: string) => number(`select sum(requests) as number from request_count where ${where}`)
      const [all, refused, failed] = [
        await requests('1 = 1'),
        await requests('status = 403'),
        await requests('status = 500'),
      ]
      await becomes(async () => (await tile('Requests')())[1], text(all))
      assert.equal((await tile('Refused')())[1], text(refused))
      assert.equal((await tile('Failed')())[1], text(failed))
      const open = text(await number('select count(cycle) as number from area'))
      const rooms = text(await number('select count(*) as number from area'))
      assert.deepEqual((await tile('Open rooms')()).slice(1), [open, `of ${rooms}`])
      const card = (title: string) => page.locator('section', { has: page.getByRole('heading', { name: title }) })
      const more = (count: number) => `and ${text(count - 8)} more`
      const facilities = await number('select count(distinct facility_id) as number from area where cycle is not null')
      await card('Open rooms').getByText(more(facilities)).waitFor()
      const pairs = await number('select count(*) as number from refusal_count')
      await card('Refused requests').getByText(more(pairs)).waitFor()
      const ending = await number(`select count(*) as number from area where services_lengths <> ''`)
      await card('Services expiring soon').getByText(more(ending)).waitFor()
      const tokens = `(select count(*) from token)`
      const partners = `(select count(*) from request_count where status = 403 and requests >= 50)`
      const lists = '(select count(*) from autocomplete_list)'
      const notices = `select ${tokens} + ${partners} + ${lists} + (select count(*) from webhook) as number`
      await page.getByRole('button', { name: `Show all ${text(await number(notices))}` }).click()
      await page
        .getByRole('link', { name: /^Review: .* · g30$/ })
        .first()
        .waitFor()
      assert.deepEqual(opened.complaints, [])
    })

    test('lists show their length', async () => {
      const facilities = await number('select count(*) as number from facility')
      await (await visit('/facilities')).getByText(`100 of ${facilities}`).waitFor()
      const rooms = await number('select count(*) as number from area where facility_id = 1002')
      await (await visit('/facilities/f2'))
        .getByText(new RegExp(`of ${rooms}\\b`))
        .first()
        .waitFor()
      const open = await number('select count(cycle) as number from area where facility_id = 1002')
      const row = (await visit('/facilities?q=f200')).getByRole('row', { name: /f200/ })
      await row.waitFor()
      assert.match(await row.innerText(), /120/)
      assert.ok(open > 0)
    })
  })
}
