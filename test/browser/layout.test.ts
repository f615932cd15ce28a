import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startReceiver } from '../harness/receiver.ts'
import { someWebhook, webhookSettings } from '../harness/some-webhook.ts'
import { axeOn } from './console.ts'
import { atDesks, becomes, type Desk } from './desk.ts'
import { manyEstate } from './many-facilities.ts'

/** Pages whose table is longer than the window, and a text that identifies the table. */
const tables = [
  '/facilities',
  '/partners',
  '/requests',
  '/audit',
  '/facilities/long-01',
  '/partners/everything?tab=effective',
]
/** A wide and low window as on a laptop, a tablet, and a phone. */
const windows: [width: number, height: number][] = [
  [1280, 700],
  [768, 1024],
  [390, 844],
]

const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const { scrollHeight, scrollWidth } = document.scrollingElement
    const { bottom } = document.querySelector('section table').parentElement.getBoundingClientRect()
    return [
      ...(scrollHeight > innerHeight ? ['the page is ' + (scrollHeight - innerHeight) + ' px too high'] : []),
      ...(scrollWidth > innerWidth ? ['the page is ' + (scrollWidth - innerWidth) + ' px too wide'] : []),
      ...(bottom > innerHeight ? ['the table ends below the window'] : []),
    ]
  })()`)

atDesks(
  'layout',
  (desk) => {
    describe('only the table scrolls, never the page with it', () => {
      before(async () => {
        for (let at = 0; at < 40; at++) await desk().atrium.ask('GET /v1/facilities/lyon-10/', { as: 'stranger' })
        await becomes(async () => (await desk().ask('GET /cms/v1/requests')).body.length, 40)
      })

      for (const path of tables) {
        test(path, async () => {
          const page = await desk().visit(path)
          await page.locator('tbody tr[aria-rowindex]').first().waitFor()
          for (const [width, height] of windows) {
            await page.setViewportSize({ width, height })
            assert.deepEqual(await beyond(page), [], `${width} by ${height}`)
          }
          await page.setViewportSize({ width: 1280, height: 900 })
        })
      }
    })

    describe('the list of partners fits into the window of a laptop', () => {
      before(async () => {
        await desk().ask('PATCH /cms/v1/partners/everything', { rate_limit: '50/s burst 500' })
        await breakWebhooks(desk())
      })

      for (const language of ['en', 'fr'] as const) {
        test(`in ${language}`, async () => {
          const page = await desk().visit('/partners')
          await page.evaluate(`localStorage.setItem('atrium-language', '${language}')`)
          await page.reload()
          await page.locator('tbody tr[aria-rowindex]').first().waitFor()
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.getByText(language === 'en' ? '1 failing, 1 disabled' : '1 en échec, 1 désactivé').waitFor()
          const [whole, shown] = await page
            .locator('table')
            .evaluate((table) => [table.scrollWidth, table.parentElement?.clientWidth ?? 0] as const)
          assert.ok(whole <= shown, `${whole - shown} px of the table are hidden`)
          await page.evaluate(`localStorage.removeItem('atrium-language')`)
          await page.setViewportSize({ width: 1280, height: 900 })
        })
      }
    })

    test('the area above a table is fully visible, on phones too', async () => {
      const page = await desk().visit('/facilities/long-01?room=9999')
      const note = page.getByRole('note')
      await note.waitFor()
      for (const [width, height] of windows) {
        await page.setViewportSize({ width, height })
        const [whole, shown] = await note.evaluate((one) => [one.scrollHeight, one.clientHeight] as const)
        assert.ok(whole <= shown, `${whole - shown} px are hidden at ${width} by ${height}`)
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    })

    test('names with the same beginning are distinguishable on tablets and phones', async () => {
      const name = 'Hôpital universitaire de la Croix-Rousse, pavillon des Alpes, 21'
      await desk().ask('PATCH /cms/v1/facilities/lyon-10', { name })
      const page = await desk().visit('/facilities?q=pavillon')
      const link = page.getByRole('link', { name })
      await link.waitFor()
      await page.setViewportSize({ width: 768, height: 1024 })
      // Measures the text itself, also where it overflows its cell.
      const hidden: number = await link.evaluate((one) => {
        const text = one.ownerDocument.createRange()
        text.selectNodeContents(one)
        const [inner, cell] = [text.getBoundingClientRect(), (one.closest('td') ?? one).getBoundingClientRect()]
        return Math.max(inner.right - cell.right, inner.bottom - cell.bottom)
      })
      assert.ok(hidden <= 0, `${hidden} px of the name are hidden`)
      await page.setViewportSize({ width: 1280, height: 900 })
    })

    for (const [path, title, back] of [
      ['/facilities/nope', 'Facility not found', 'All facilities'],
      ['/partners/nope', 'Partner not found', 'All partners'],
    ] as const) {
      test(`${path} shows a page for missing objects, not an error`, async () => {
        const page = await desk().visit(path)
        await page.getByRole('heading', { name: title }).waitFor()
        assert.equal(await page.title(), `${title} · Atrium`)
        assert.equal(await page.getByRole('alert').count(), 0)
        assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
        assert.deepEqual(await axeOn(page), [])
        await page.getByRole('link', { name: back }).click()
        await page.locator('tbody tr[aria-rowindex]').first().waitFor()
      })
    }

    test('the host alone leads a browser to the console, and a program to a problem', async () => {
      const { url } = desk().atrium
      const { page } = desk()
      await page.goto(`${url}/`)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      assert.equal((await fetch(`${url}/`, { headers: { accept: 'application/json' } })).status, 404)
      const icons = { 'favicon.ico': 'image/svg+xml', 'apple-touch-icon.png': 'image/png' }
      for (const [name, type] of Object.entries(icons)) {
        const icon = await fetch(`${url}/${name}`)
        assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, type])
      }
    })
  },
  {
    which: ['sqlite'],
    options: async () => ({
      estate: { ...manyEstate, facilities: [...manyEstate.facilities, longFacility] },
      settings: webhookSettings,
    }),
  },
)

/** Creates a failing and a disabled webhook of the partner `everything`. */
async function breakWebhooks({ atrium }: Desk): Promise<void> {
  await using receiver = await startReceiver()
  const since = new Date().toISOString()
  for (const trouble of [{ failing_since: since }, { disabled_at: since, disabled_reason: 'failed' }] as const) {
    const id = await someWebhook(atrium, receiver)
    await atrium.service.db.write((tx) => tx.query.updateTable('webhook').set(trouble).where('id', '=', id).execute())
  }
}

const longFacility = {
  id_external: 'long-01',
  name: 'Long',
  areas: Array.from({ length: 60 }, (_, at) => ({ id: String(at + 101), name: `Room ${at + 101}` })),
}
