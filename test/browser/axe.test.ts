import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { axeFindings, open } from './console.ts'
import { atDesks, becomes } from './desk.ts'
import { outOfReach } from './narrow.ts'

/** Every page, with a text that shows that it is loaded. */
const pages: [path: string, shown: string | RegExp][] = [
  ['/', 'Requests per minute'],
  ['/facilities', 'Hôtel Bellecour'],
  ['/facilities/lyon-01', 'Suite Étoile'],
  ['/facilities/lyon-01?view=grid', 'Floor 1'],
  ['/facilities/chu-nord?room=214', 'Add service'],
  ['/facilities/lyon-01?tab=list', 'Not listed: installers cannot choose this room (2)'],
  ['/facilities/lyon-01?tab=devices', 'tv-101'],
  ['/facilities/lyon-01?tab=history', 'created a facility'],
  ['/facilities/lyon-01?tab=settings', 'Public Wi-Fi network'],
  ['/partners', 'Sees nothing'],
  ['/partners/hotelier', 'If several permissions cover a facility, they combine.'],
  ['/partners/hotelier?tab=effective', 'Hôtel Bellecour · lyon-01'],
  ['/partners/hotelier?tab=contract', /^Contract: /],
  ['/partners/hotelier?tab=tokens', 'anywhere'],
  ['/partners/hotelier?tab=webhooks', 'No webhooks yet'],
  ['/partners/hotelier?tab=sandbox', 'No sandbox yet'],
  ['/partners/hotelier?tab=settings', 'Remove partner'],
  ['/access?partner=hotelier&method=GET&path=/v1/facilities/', 'allowed'],
  ['/requests', '1 row'],
  ['/audit', 'signed in'],
  ['/install?facility=lyon-01', 'Type at least two characters.'],
  ['/settings', 'colleague@example.com'],
  ['/settings?tab=keys', 'anywhere'],
  ['/settings?tab=sessions', 'this browser'],
  ['/settings?tab=account', 'New password'],
  ['/settings?tab=installation', 'Request log: days'],
  ['/settings?tab=estate', 'Download as YAML'],
  ['/settings?tab=about', process.versions.node],
  ['/nowhere', 'Page not found'],
]

atDesks(
  'axe finds nothing, in either theme',
  (desk) => {
    test('sign-in', async () => {
      const { page, context } = await open(desk().browser)
      await page.goto(`${desk().atrium.url}/console/sign-in`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await axeFindings(page), [])
      assert.deepEqual(await outOfReach(page), [])
      await context.close()
    })

    describe('signed in, and on a telephone all is within reach', () => {
      before(async () => {
        await desk().atrium.ask('GET /v1/facilities/nice-02/', { as: 'hotelier' })
        await becomes(async () => (await desk().ask('GET /cms/v1/requests')).body.length, 1)
      })

      for (const [path, shown] of pages) {
        test(path, async () => {
          const { page } = desk()
          await page.evaluate(`history.pushState({}, '', '/console${path}')`)
          const within = path.includes('room=') ? page.getByRole('dialog') : page
          if (within === page) await page.getByRole('dialog').waitFor({ state: 'detached' })
          await within
            .getByText(shown, { exact: typeof shown === 'string' })
            .filter({ visible: true })
            .first()
            .waitFor()
          assert.deepEqual(await axeFindings(page), [])
          assert.deepEqual(await outOfReach(page), [])
        })
      }
    })
  },
  { which: ['sqlite'], options: async () => ({ settings: (await new TestOpenIdProvider().start()).settings() }) },
)
