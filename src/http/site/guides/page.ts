import { html } from '../page.ts'
import type { Guide } from './render.ts'

export interface Audience {
  title: string
  guides: { title: string; name: string }[]
}

const head = '<link rel="stylesheet" href="/assets/guides.css"><script type="module" src="/assets/guides.js"></script>'

/** The search form. It is hidden until the script shows it, because search needs JavaScript. */
const search = `<search class="find" hidden><label for="find">Search the guides</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" aria-describedby="found" aria-keyshortcuts="/">
<p id="found" role="status"></p><ol></ol></search>`

export function listPage({ title, html: body }: Guide): string {
  return html(title, `<div class="guides">${search}<main class="page guide list">${body}</main></div>`, head)
}

export function guidePage(name: string, { title, html: body }: Guide, audiences: Audience[]): string {
  const main = `<main class="page guide">${body}</main>`
  return html(title, `<div class="guides beside">${search}${main}${menu(name, audiences)}</div>`, head)
}

function menu(current: string, audiences: Audience[]): string {
  const parts = audiences.map(({ title, guides }) => {
    const links = guides.map(
      ({ title, name }) =>
        `<li><a href="/docs/guides/${name}"${name === current ? ' aria-current="page"' : ''}>${title}</a></li>`,
    )
    return `<h2>${title}</h2><ul>${links.join('')}</ul>`
  })
  return `<nav class="menu" aria-label="Guides"><a href="/docs/guides">All guides</a>${parts.join('')}</nav>`
}
