import type { Browser } from 'playwright-core'
import { signedIn } from '../../test/browser/console.ts'
import type { TestAtrium } from '../../test/harness/atrium.ts'

const times = 5

/** Measures the time until the overview shows its data, with an empty browser cache; the median of several runs. */
export async function firstPaint(atrium: TestAtrium, browser: Browser): Promise<string> {
  const taken: { paintedMs: number; usefulMs: number }[] = []
  for (let time = 0; time < times; time++) {
    const { page, context } = await signedIn(atrium, browser, 'admin')
    const session = await context.newCDPSession(page)
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await page.goto(`${atrium.url}/console/`, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Requests per minute' }).waitFor()
    const usefulMs: number = await page.evaluate('performance.now()')
    const paintedMs: number = await page.evaluate(
      'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now()',
    )
    taken.push({ paintedMs, usefulMs })
    await context.close()
  }
  const middle = taken.sort((a, b) => a.usefulMs - b.usefulMs)[Math.floor(times / 2)]
  const ms = (value = 0) => `${Math.round(value)} ms`
  return `first paint after ${ms(middle?.paintedMs)}, the figures of the overview after ${ms(middle?.usefulMs)}`
}
