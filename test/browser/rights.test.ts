import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { axeOn } from './console.ts'
import { atDesks, becomes, button, type Desk, field, isSaved } from './desk.ts'
import { manyEstate } from './many-facilities.ts'

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

/** Requests of the partner, as the request log has them. */
async function logged(
  { atrium }: Desk,
  calls: [route: string, facility: string | null, count: number, days: number][],
) {
  const rows = calls.flatMap(([route, facility, count, days]) =>
    Array.from({ length: count }, () => ({
      ...{ at: ago(days), partner: 'helios', token: null, method: 'GET', route, facility, area: null, status: 200 },
      ...{ code: null, detail: null, duration_us: 1, request_id: 'x', address: null },
    })),
  )
  await atrium.service.db.write((tx) => tx.query.insertInto('request_log').values(rows).execute())
}

const areas = '/v1/facilities/:facilityExternalId/areas'

atDesks(
  'rights',
  (desk) => {
    const helios = async () => (await desk().ask('GET /cms/v1/partners/helios')).body
    const given = manyEstate.partners.at(-1)
    const right = (name: string) => desk().page.getByRole('checkbox', { name, exact: true }).first()
    const question = () => desk().page.getByRole('dialog', { name: 'Remove permissions?' })
    const visit = async () => {
      const page = await desk().visit('/partners/helios')
      await page.getByText('Show 47 more').waitFor()
      return page
    }

    beforeEach(async () => {
      const { grants, webhooks } = given as { grants: unknown; webhooks?: boolean }
      await desk().ask('PATCH /cms/v1/partners/helios', { grants, webhooks })
      await desk().page.evaluate('localStorage.removeItem("atrium-draft:/partners/helios")')
    })

    describe('removing permissions first shows past requests that would have been refused', () => {
      test('a missing request history is reported', async () => {
        const page = await visit()
        await right('Write: Name').uncheck()
        await button(page, 'Save').click()
        await question().getByText('There were no requests in the last 7 days').waitFor()
        await question().getByText('Write: Name').waitFor()
        await button(question(), 'Cancel').click()
        assert.deepEqual((await helios()).grants, given?.grants)
        await button(page, 'Save').click()
        await button(question(), 'Remove and save').click()
        await isSaved(page)
        assert.deepEqual((await helios()).grants[0].write, [])
      })

      test('requests are counted by route and facility, those of longer ago are not', async () => {
        await logged(desk(), [
          [areas, 'lyon-10', 3, 1],
          [areas, 'pau-10', 2, 2],
          [areas, 'pau-10', 50, 8],
          ['/v1/facilities/:facilityExternalId', 'lyon-10', 7, 1],
        ])
        const page = await visit()
        await right('Read: Rooms').uncheck()
        await button(page, 'Save').click()
        await question().getByText('5 requests of the last 7 days would be refused').waitFor()
        await question()
          .getByRole('row', { name: /^Read the rooms .*Clinique des Alpes Lyon 10 · lyon-10 3/ })
          .waitFor()
        await question()
          .getByRole('row', { name: /^Read the rooms .* pau-10 2/ })
          .waitFor()
        assert.deepEqual(await axeOn(page), [])
        await button(question(), 'Remove and save').click()
        await isSaved(page)
        assert.deepEqual((await helios()).grants[0].read, ['address'])
      })

      test('a facility less, a grant less, and a partner that is removed', async () => {
        const page = await visit()
        await button(page, 'Show 47 more').click()
        await button(page, 'Remove lyon-10').click()
        await button(page, 'Save').click()
        await question().getByText('10 requests of the last 7 days would be refused').waitFor()
        await question()
          .getByText(/Everything \(Read: Address, Rooms; .*lyon-10$/)
          .waitFor()
        await button(question(), 'Cancel').click()
        await button(page, 'Remove this permission').click()
        await button(page, 'Save').click()
        await question().getByText('12 requests of the last 7 days would be refused').waitFor()
        await question().getByText('would lose all permissions').waitFor()
        await button(question(), 'Cancel').click()
        await button(page, 'Discard changes').click()
        await page.getByRole('tab', { name: 'Settings' }).click()
        await button(page, 'Remove partner').click()
        await page.getByRole('dialog').getByText('12 requests of the last 7 days would be refused').waitFor()
      })

      test('the right to keep webhooks', async () => {
        await logged(desk(), [['/v1/webhooks', null, 1, 1]])
        const page = await desk().visit('/partners/helios?tab=settings')
        await page.getByRole('checkbox', { name: 'Manages its own webhooks' }).uncheck()
        await button(page, 'Save').click()
        await question().getByText('1 request of the last 7 days would be refused').waitFor()
        await button(question(), 'Remove and save').click()
        await isSaved(page)
        assert.equal((await helios()).webhooks, false)
      })

      test('a failed check is reported, and saving is possible', async () => {
        const page = await visit()
        await page.route('**/rehearsal', (route) => route.fulfill({ status: 500 }))
        await right('Read: Address').uncheck()
        await button(page, 'Save').click()
        await question().getByText('The effect could not be checked.').waitFor()
        await button(question(), 'Remove and save').click()
        await isSaved(page)
        await page.unroute('**/rehearsal')
        assert.deepEqual((await helios()).grants[0].read, ['areas'])
      })

      test('added permissions are saved without confirmation', async () => {
        const page = await visit()
        await right('Read: Devices').check()
        await button(page, 'Save').click()
        await isSaved(page)
        assert.deepEqual((await helios()).grants[0].read, ['address', 'devices', 'areas'])
      })
    })

    test('a fault in a setting is shown at its field, in French too, and does not affect other tabs', async () => {
      const page = await desk().visit('/partners/helios?tab=settings')
      await page.evaluate('localStorage.setItem("atrium-language", "fr")')
      await page.reload()
      await field(page, 'Limite de débit').fill('fast')
      await button(page, 'Enregistrer').click()
      await page.getByText('Doit être de la forme « 100/s burst 1000 », ou « off ».').waitFor()
      await becomes(
        () => field(page, 'Limite de débit').evaluate((one) => one === one.ownerDocument.activeElement),
        true,
      )
      await page.getByRole('alert').getByText('Non enregistré : certaines valeurs doivent être corrigées').waitFor()
      await button(page, 'Abandonner les modifications').click()
      await page.evaluate('localStorage.removeItem("atrium-language")')
      await page.reload()
    })
  },
  { which: ['sqlite'], options: async () => ({ estate: manyEstate }) },
)
