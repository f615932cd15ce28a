import type { Page } from 'playwright-core'

/**
 * Returns a line for each text or control of the tables of a page that cannot be seen without scrolling sideways. Texts
 * in columns with one of these titles may be shortened.
 */
export function outOfSight(page: Page, shortened: string[]): Promise<string[]> {
  return page.evaluate(`(${find})(${JSON.stringify(shortened)})`)
}

/** Runs in the page. */
const find = `(shortened) => {
  const lines = new Set()
  if (document.scrollingElement.scrollWidth > innerWidth) lines.add('the page is too wide')
  for (const table of document.querySelectorAll('main table')) {
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      const range = document.createRange()
      range.selectNodeContents(node)
      if (node.data.trim() !== '' && node.parentElement.checkVisibility()) see(node.parentElement, range, node.data)
    }
    for (const one of table.querySelectorAll('button, input, a')) {
      if (one.checkVisibility()) see(one, one, one.getAttribute('aria-label') ?? one.innerText)
    }
  }
  return [...lines]

  function see(element, place, name) {
    const cell = element.closest('td, th')
    const head = cell?.closest('table').tHead?.rows[0].cells[cell.cellIndex]
    if (element.closest('.visually-hidden') || shortened.includes(head?.innerText)) return
    const { left, right } = place.getBoundingClientRect()
    for (let box = element; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === 'visible') continue
      const edge = box.getBoundingClientRect()
      if (left >= edge.left - 1 && right <= edge.right + 1) continue
      lines.add(name + ': ' + Math.round(Math.max(right - edge.right, edge.left - left)) + ' px are hidden')
      return
    }
  }
}`
