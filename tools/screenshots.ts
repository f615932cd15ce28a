// npm run screenshots [-- NAME…]: saves every console page, or the named ones, in both themes to docs/screenshots.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { installWithApt, programPath } from '../bench/programs.ts'
import { open, signedIn } from '../test/browser/console.ts'
import { startAtrium, type TestAtrium } from '../test/harness/atrium.ts'
import { startChromium } from '../test/harness/chromium.ts'
import { consoleBuild } from './console.ts'
import { daysAgo, goTo, now } from './screenshots/clock.ts'
import { estateToShow } from './screenshots/estate.ts'
import { firstPaint } from './screenshots/first-paint.ts'
import { live } from './screenshots/history.ts'
import { type Picture, pictures } from './screenshots/pages.ts'
import { buildStale } from './stale.ts'

const folder = join(import.meta.dirname, '../docs/screenshots')
const asked = process.argv.slice(2)
const themes = ['light', 'dark'] as const
const narrowWidth = 390

await buildStale(consoleBuild)
mkdirSync(folder, { recursive: true })
goTo(daysAgo(40))
// Requests come from this machine; X-Forwarded-For gives each an address of its own.
const settings = { ATRIUM_TRUSTED_PROXIES: '127.0.0.1/32' }
const atrium = await startAtrium('sqlite', { estate: estateToShow(), settings })
const browser = await startChromium()
try {
  await live(atrium)
  let bytes = 0
  for (const theme of themes) bytes += await takeAll(atrium, browser, theme)
  console.log(`${Math.round(bytes / 1024)} kB in all`)
  console.log(await firstPaint(atrium, browser))
} finally {
  await browser.close()
  await atrium.stop()
}

async function takeAll(server: TestAtrium, from: Browser, colorScheme: 'light' | 'dark'): Promise<number> {
  const { page, context, complaints } = await signedIn(server, from, 'admin', { colorScheme })
  await context.clock.setFixedTime(now)
  let bytes = await takeSignIn(server, from, colorScheme)
  for (const picture of pictures.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
    bytes += await take(server, page, picture, colorScheme)
    if (picture.narrow) bytes += await take(server, page, picture, colorScheme, narrowWidth)
  }
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  await context.close()
  return bytes
}

async function takeSignIn(server: TestAtrium, from: Browser, colorScheme: 'light' | 'dark'): Promise<number> {
  const { page, context } = await open(from, { colorScheme })
  const bytes = await take(server, page, { name: 'sign-in', path: '/sign-in' }, colorScheme)
  await context.close()
  return bytes
}

async function take(server: TestAtrium, page: Page, picture: Picture, theme: string, width = 1280): Promise<number> {
  const { name, path, act } = picture
  await page.setViewportSize(width === narrowWidth ? { width, height: 844 } : { width, height: 800 })
  await page.goto(`${server.url}/console${path}`, { waitUntil: 'networkidle' })
  await act?.(page)
  await page.mouse.move(0, 0)
  await page.locator('[data-loading]').first().waitFor({ state: 'detached' })
  // Waits for the transition of dialogs and drawers.
  await page.waitForTimeout(250)
  const picked = reduced(await page.screenshot())
  const file = `${name}-${theme}${width === narrowWidth ? `-${narrowWidth}` : ''}.png`
  writeFileSync(join(folder, file), picked)
  console.log(`${file} ${Math.round(picked.length / 1024)} kB`)
  return picked.length
}

/** A palette of 256 colors reduces a page to a third of its size. */
function reduced(png: Buffer): Buffer {
  const advice = 'no pngquant to make the pictures small: install it, on Debian with apt-get install pngquant'
  if (programPath('pngquant') === undefined) {
    installWithApt('apt-get -qq install --no-install-recommends -y pngquant', advice)
  }
  const { stdout, status } = spawnSync('pngquant', ['--strip', '--speed', '1', '256', '-'], { input: png })
  if (status !== 0) throw new Error(advice)
  return stdout
}
