import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestOpenIdProvider } from '../../harness/openid-provider.ts'
import { open } from '../console.ts'
import { button, type Desk } from '../desk.ts'

export function singleSignOnJobs(desk: () => Desk, provider: TestOpenIdProvider): void {
  describe('single sign-on', () => {
    test('signing in through a provider on another site leads to the requested page', async () => {
      provider.person = { email: 'admin@example.com', email_verified: true }
      const { page, context, complaints } = await open(desk().browser)
      await page.goto(`${desk().atrium.url}/console/partners?q=ac`)
      await button(page, 'Continue with Example Login').click()
      await page.waitForURL('**/console/partners?q=ac')
      await page.getByRole('heading', { name: 'Partners' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'Partners' }).waitFor()
      assert.deepEqual(complaints, [])
      await context.close()
    })

    test('a person who is not an operator is refused, and the provider’s response is removed from the address', async () => {
      provider.person = { email: 'stranger@example.com', email_verified: true }
      const { page, context } = await open(desk().browser)
      await page.goto(`${desk().atrium.url}/console/`)
      await button(page, 'Continue with Example Login').click()
      await page.getByText('No operator has your email address').waitFor()
      assert.equal(new URL(page.url()).search, '')
      await context.close()
    })
  })
}
