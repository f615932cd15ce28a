import { before, describe, test } from 'node:test'
import { startReceiver } from '../harness/receiver.ts'
import { webhookSettings } from '../harness/some-webhook.ts'
import { atDesks, becomes, type Desk } from './desk.ts'
import { manyEstate } from './many-facilities.ts'
import { outOfSight } from './out-of-sight.ts'

/** Every page with a table or matrix. */
const pages = [
  '/facilities',
  '/facilities/lyon-10?tab=history',
  '/facilities/lyon-01',
  '/facilities/lyon-01?tab=devices',
  '/partners',
  '/partners/helios',
  '/partners/helios?tab=effective',
  '/partners/helios?tab=tokens',
  '/partners/everything?tab=webhooks',
  '/requests',
  '/audit',
  '/settings',
  '/settings?tab=keys',
  '/settings?tab=sessions',
]
const windows: [width: number, height: number][] = [
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1440, 900],
]
/** Summaries of changes, whose full text is in the entry. */
const shortened = ['Change', 'Modification']

atDesks(
  'tables at every width',
  (desk) => {
    before(() => furnish(desk()))

    for (const language of ['en', 'fr']) {
      describe(`nothing is out of sight in ${language}`, () => {
        for (const path of pages) {
          test(path, async () => {
            const page = await desk().visit(path)
            await page.evaluate(`localStorage.setItem('atrium-language', '${language}')`)
            await page.reload()
            await page.locator('tbody tr td').first().waitFor()
            await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
            for (const [width, height] of windows) {
              await page.setViewportSize({ width, height })
              await becomes(() => outOfSight(page, shortened), [])
            }
            await page.evaluate(`localStorage.removeItem('atrium-language')`)
          })
        }
      })
    }

    test('on a phone each row says as much as on a desktop', async () => {
      for (const [path, text] of saidOnPhones) {
        const page = await desk().visit(path)
        await page.setViewportSize({ width: 390, height: 844 })
        await page.locator('tbody tr[aria-rowindex]').first().waitFor()
        await page.locator('tbody').filter({ hasText: text }).waitFor()
      }
      await desk().page.setViewportSize({ width: 1280, height: 900 })
    })
  },
  { which: ['sqlite'], options: async () => ({ estate: manyEstate, settings: webhookSettings }) },
)

const saidOnPhones: [path: string, text: RegExp][] = [
  ['/requests', /\/v1\/areas\/lyon-10-101\/data_services[\s\S]*\d\d:\d\d:\d\d[\s\S]*Helios Hospitality[\s\S]* ms/],
  ['/audit?action=facility.update', /changed a facility[\s\S]*lyon-10[\s\S]*Wi-Fi/],
  ['/facilities/lyon-10?tab=history', /changed a facility[\s\S]*lyon-10[\s\S]*Wi-Fi/],
  ['/facilities?q=lyon-10', /Clinique des Alpes Lyon 10[\s\S]*hospital[\s\S]*Lyon[\s\S]*Rooms: 1/],
  ['/settings', /marie-christine\.de-la-villeneuve@groupe-hospitalier\.example[\s\S]*editor/],
]

/** Fills every table with long values. */
async function furnish({ atrium, ask }: Desk): Promise<void> {
  await using receiver = await startReceiver()
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const tokens = '/cms/v1/partners/helios/tokens'
  const ranges = ['203.0.113.0/24', '2001:db8::/48']
  await ask(`POST ${tokens}`, {
    name: 'Intégration continue (préproduction)',
    expires_at: inAWeek,
    allowed_ranges: ranges,
  })
  await ask(`POST ${tokens}/import`, { name: 'from the previous platform', sha256: 'ab'.repeat(32) })
  const { token } = (await ask(`POST ${tokens}`, { name: 'production' })).body
  await ask(`POST /cms/v1/tokens/${token.id}/rotate`, { grace_seconds: 604_800 })
  const url = `${receiver.url}/hooks/helios-hospitality/atrium/events/production`
  await ask('POST /cms/v1/partners/everything/webhooks', { url, types: ['area.opened', 'services.added'] })
  const email = 'marie-christine.de-la-villeneuve@groupe-hospitalier.example'
  await ask('POST /cms/v1/operators', { name: 'Marie-Christine de La Villeneuve', email, role: 'editor' })
  await ask('PATCH /cms/v1/facilities/lyon-10', { ssid_public: 'Alpes Patients et visiteurs' })
  for (let at = 0; at < 40; at++) await atrium.ask('GET /v1/areas/lyon-10-101/data_services', { as: 'helios' })
  await becomes(async () => (await ask('GET /cms/v1/requests')).body.length, 40)
}
