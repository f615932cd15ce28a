import type { Page } from 'playwright-core'

export interface Picture {
  name: string
  path: string
  /** Actions on the page before the screenshot. */
  act?: (page: Page) => Promise<void>
  /** Also in a phone viewport. */
  narrow?: true
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const openRow = (text: string) => (page: Page) => page.getByRole('row').filter({ hasText: text }).first().click()

export const pictures: Picture[] = [
  { name: 'overview', path: '/', act: untilListsCompared, narrow: true },
  { name: 'facilities', path: '/facilities', narrow: true },
  { name: 'rooms', path: '/facilities/lyon-01', narrow: true },
  { name: 'floors', path: '/facilities/annecy-01?view=grid', narrow: true },
  { name: 'room', path: '/facilities/annecy-01?view=grid&room=B-207', narrow: true },
  { name: 'add-rooms', path: '/facilities/lyon-01', act: (page) => button(page, 'Add rooms').click() },
  { name: 'list', path: '/facilities/lille-01?tab=list' },
  { name: 'devices', path: '/facilities/lyon-01?tab=devices' },
  { name: 'history', path: '/facilities/lyon-01?tab=history' },
  { name: 'facility-settings', path: '/facilities/lyon-01?tab=settings' },
  { name: 'partners', path: '/partners', narrow: true },
  { name: 'rights', path: '/partners/north-portal', narrow: true },
  { name: 'rehearsal', path: '/partners/acme-pms', act: rehearse },
  { name: 'effective-rights', path: '/partners/north-portal?tab=effective' },
  { name: 'contract', path: '/partners/north-portal?tab=contract' },
  { name: 'tokens', path: '/partners/keyline?tab=tokens', narrow: true },
  { name: 'webhooks', path: '/partners/north-portal?tab=webhooks', narrow: true },
  { name: 'webhook-log', path: '/partners/north-portal?tab=webhooks', act: openLog, narrow: true },
  { name: 'sandbox', path: '/partners/acme-pms?tab=sandbox', narrow: true },
  {
    name: 'access-allowed',
    path: '/access?partner=acme-pms&method=GET&path=/v1/facilities/lyon-01/',
    act: untilDecided,
    narrow: true,
  },
  {
    name: 'access-refused',
    path: '/access?partner=keyline&method=GET&path=/v1/facilities/torino-01/areas',
    act: untilDecided,
  },
  { name: 'requests', path: '/requests', narrow: true },
  { name: 'request', path: '/requests?status=403', act: openRow('permission missing') },
  { name: 'audit', path: '/audit', narrow: true },
  { name: 'audit-entry', path: '/audit?facility=lyon-01', act: openRow('Deux Rives') },
  { name: 'install', path: '/install?facility=annecy-01', act: pickRoom, narrow: true },
  { name: 'operators', path: '/settings', narrow: true },
  { name: 'keys', path: '/settings?tab=keys' },
  { name: 'sessions', path: '/settings?tab=sessions' },
  { name: 'account', path: '/settings?tab=account' },
  { name: 'installation', path: '/settings?tab=installation', narrow: true },
  { name: 'import-export', path: '/settings?tab=estate' },
  { name: 'about', path: '/settings?tab=about' },
  { name: 'palette', path: '/', act: find },
  { name: 'missing', path: '/nowhere' },
]

async function untilDecided(page: Page): Promise<void> {
  await page.getByRole('rowheader', { name: 'Route' }).waitFor()
}

async function untilListsCompared(page: Page): Promise<void> {
  await page.getByText('Needs attention').waitFor()
  await page.getByText('Comparing lists with rooms').waitFor({ state: 'detached' })
}

async function rehearse(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Read: Rooms' }).uncheck()
  await page.getByRole('checkbox', { name: 'Write: Portal' }).check()
  await button(page, 'Rehearse this change').click()
  await page.getByText('newly allowed').waitFor()
}

async function openLog(page: Page): Promise<void> {
  await openRow('billing')(page)
  await page.getByRole('dialog').getByRole('row').nth(9).waitFor()
}

async function pickRoom(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Room' }).fill('b-2')
  await page.getByRole('list', { name: 'Room' }).waitFor()
}

async function find(page: Page): Promise<void> {
  await button(page, /^Find/).click()
  await page.getByRole('textbox', { name: /^Find/ }).fill('l')
  await page.getByText('Hôtel de la Citadelle').waitFor()
}
