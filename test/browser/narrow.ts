import type { Page } from 'playwright-core'

/** The width of a phone in CSS pixels. */
export const narrowWidth = 390

/** Returns a line for each element that cannot be reached or read on a phone. The page keeps its width. */
export async function outOfReach(page: Page): Promise<string[]> {
  const wide = page.viewportSize() ?? { width: 1280, height: 900 }
  await page.setViewportSize({ width: narrowWidth, height: 844 })
  // Tables move columns after they have been measured at the new width.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  )
  const lines: string[] = await page.evaluate(find)
  await page.setViewportSize(wide)
  return lines
}

/** Runs in the page. An element outside of a box that visibly scrolls counts as reachable if the box is. */
const find = `(() => {
  const leastPx = 24
  const root = document.querySelector('[role=dialog]') ?? document.body
  const lines = []
  if (document.scrollingElement.scrollWidth > innerWidth) lines.push('the page itself has to be moved sideways')
  for (const one of root.querySelectorAll('a[href], button, input, select, textarea, [role=tab]')) {
    if (!one.checkVisibility() || one.closest('.skip, .visually-hidden') || one.type === 'file') continue
    const say = (what) => lines.push(what + ': ' + (one.getAttribute('aria-label') || one.innerText || one.outerHTML.slice(0, 120)))
    const { width, height } = one.getBoundingClientRect()
    const isButton = one.matches('button')
    if (isButton && (width < leastPx || height < leastPx)) say(Math.round(width) + ' by ' + Math.round(height))
    if (isButton && [one, ...one.querySelectorAll('*')].some(isCut)) say('its words are cut off')
    const place = placeOf(one)
    if (place) say(place)
  }
  return lines

  function isCut({ scrollWidth, clientWidth }) {
    return clientWidth > 0 && scrollWidth > clientWidth + 1
  }

  function placeOf(one) {
    let { left, right } = one.getBoundingClientRect()
    for (let box = one.parentElement; box; box = box.parentElement) {
      const { overflowX, scrollbarWidth, textOverflow } = getComputedStyle(box)
      if (overflowX === 'visible') continue
      const edge = box.getBoundingClientRect()
      if (left >= edge.left - 1 && right <= edge.right + 1) continue
      const isMovable = overflowX !== 'hidden' && overflowX !== 'clip' && box.scrollWidth > box.clientWidth
      if (isMovable && scrollbarWidth === 'none') return 'nothing shows that it can be moved to'
      // A long name in a link may be cut off with an ellipsis.
      if (!isMovable && !(one.matches('a') && textOverflow === 'ellipsis')) return 'cut off'
      left = edge.left
      right = edge.right
    }
    return left < -1 || right > innerWidth + 1 ? 'outside the window' : ''
  }
})()`
