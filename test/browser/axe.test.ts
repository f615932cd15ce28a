import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TestOpenIdProvider } from '../harness/openid-provider.ts'
import { axeFindings, open } from './console.ts'
import { atDesks } from './desk.ts'

const pages = [
  '/',
  '/facilities',
  '/facilities/lyon-01',
  '/facilities/lyon-01?view=grid',
  '/facilities/lyon-01?room=101',
  '/facilities/lyon-01?tab=list',
  '/facilities/lyon-01?tab=devices',
  '/facilities/lyon-01?tab=history',
  '/facilities/lyon-01?tab=settings',
  '/partners',
  '/partners/hotelier',
  '/partners/hotelier?tab=effective',
  '/partners/hotelier?tab=contract',
  '/partners/hotelier?tab=tokens',
  '/partners/hotelier?tab=settings',
  '/access?partner=hotelier&method=GET&path=/v1/facilities/',
  '/requests',
  '/audit',
  '/install?facility=lyon-01',
  '/settings',
  '/settings?tab=keys',
  '/settings?tab=sessions',
  '/settings?tab=account',
  '/settings?tab=installation',
  '/settings?tab=estate',
  '/settings?tab=about',
  '/nowhere',
]

atDesks(
  'axe finds nothing, in either theme',
  (desk) => {
    test('sign-in', async () => {
      const { page, context } = await open(desk().browser)
      await page.goto(`${desk().atrium.url}/console/sign-in`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await axeFindings(page), [])
      await context.close()
    })

    describe('signed in', () => {
      for (const path of pages) {
        test(path, async () => {
          const { page } = desk()
          await page.goto(`${desk().atrium.url}/console${path}`, { waitUntil: 'networkidle' })
          await page.getByRole('heading', { level: 1 }).waitFor()
          assert.deepEqual(await axeFindings(page), [])
        })
      }
    })
  },
  { which: ['sqlite'], options: async () => ({ settings: (await new TestOpenIdProvider().start()).settings() }) },
)
