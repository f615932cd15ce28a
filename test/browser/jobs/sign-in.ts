import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { commandLine } from '../../../src/domain/audit/audit.ts'
import { createOperator } from '../../../src/operations/access/operator.ts'
import { password } from '../../harness/operators.ts'
import { open, signedIn } from '../console.ts'
import { button, type Desk, field } from '../desk.ts'

async function tryWrongPassword(page: Page): Promise<void> {
  await page.locator('[name=password]').fill('not the password')
  await button(page, 'Sign in').click()
  const alert = page.getByRole('alert')
  await alert.getByText('The email address or the password is incorrect.').waitFor()
  await alert.getByText(/Request ID/).waitFor()
}

export function signInJobs(desk: () => Desk): void {
  describe('signing in', () => {
    test('a page redirects to the sign-in and back; a wrong password is explained; signing out works everywhere', async () => {
      const { atrium, browser } = desk()
      const email = 'ada@example.com'
      await createOperator(atrium.service.db, commandLine, { email, name: 'Ada', role: 'editor', password })
      const visitors = [await open(browser), await open(browser)] as const
      for (const { page } of visitors) {
        await page.goto(`${atrium.url}/console/facilities/lyon-01`)
        await page.waitForURL('**/console/sign-in?to=*')
        await field(page, 'Email').fill(email)
        if (page === visitors[0].page) await tryWrongPassword(page)
        await page.locator('[name=password]').fill(password)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Hôtel Bellecour' }).waitFor()
      }
      const [{ page }, other] = visitors
      await page.goto(`${atrium.url}/console/settings?tab=sessions`)
      await button(page, 'Sign out everywhere').click()
      await page.waitForURL('**/console/sign-in')
      await other.page.getByRole('tab', { name: 'List' }).click()
      await other.page.waitForURL('**/console/sign-in?to=*')
      for (const { context, complaints } of visitors) {
        assert.deepEqual(complaints, [])
        await context.close()
      }
    })

    test('a viewer is offered no changes, no tokens and no services, in French when the browser speaks it', async () => {
      const services = [{ code: 'tv', label: 'Madame Guest' }]
      await desk().ask('POST /cms/v1/areas/chu-nord-216/services', { services })
      const { page, context } = await signedIn(desk().atrium, desk().browser, 'viewer', { language: 'fr' })
      const visit = (path: string) => page.goto(`${desk().atrium.url}/console${path}`)
      await visit('/facilities')
      await page.getByRole('heading', { name: 'Établissements' }).waitFor()
      await page.getByRole('link', { name: 'Hôtel Bellecour' }).waitFor()
      assert.equal(await button(page, 'Ajouter un établissement').count(), 0)
      await visit('/facilities/chu-nord?room=216')
      await page.getByText('Les services des clients sont réservés aux éditeurs et administrateurs.').waitFor()
      assert.equal(await button(page, 'Ouvrir la chambre').count(), 0)
      assert.doesNotMatch(await page.content(), /Madame Guest/)
      await visit('/partners/hotelier?tab=tokens')
      await page.getByRole('tab', { name: 'Contrat' }).waitFor()
      assert.equal(await page.getByRole('tab', { name: 'Jetons' }).count(), 0)
      await visit('/settings')
      await page.getByRole('tab', { name: 'Clés' }).waitFor()
      assert.equal(await page.getByRole('tab', { name: 'Opérateurs' }).count(), 0)
      await context.close()
    })

    test("an editor changes facilities, and sees partners' rights without a way to change them", async () => {
      const { page, context } = await signedIn(desk().atrium, desk().browser, 'editor')
      await page.goto(`${desk().atrium.url}/console/facilities`)
      await button(page, 'Add facility').waitFor()
      await page.goto(`${desk().atrium.url}/console/partners/hotelier`)
      await page.getByText('Only administrators can change permissions.').waitFor()
      await page.getByRole('cell', { name: 'Hôtel Bellecour · lyon-01, Résidence du Port · nice-02' }).waitFor()
      assert.equal(await page.getByRole('checkbox').count(), 0)
      assert.equal(await button(page, 'Add permission').count(), 0)
      await context.close()
    })
  })
}
