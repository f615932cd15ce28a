import { type Api, apis } from '../apis.ts'
import { anchorOf, renderGuide } from '../guides/render.ts'
import { html } from '../page.ts'
import type { Document } from './document.ts'
import { operationsOf, referenceMarkdown } from './markdown.ts'

const styles = '<link rel="stylesheet" href="/assets/guides.css"><link rel="stylesheet" href="/assets/reference.css">'

/** Renders a page without scripts, which a phone shows at once. The page to try requests needs seconds to start. */
export function referencePage(api: Api, document: Document): string {
  const { html: body } = renderGuide(referenceMarkdown(document, `${apis[api].path}/try`), () => false)
  // Wraps each part of the page in a section, so that the browser lays it out only when it becomes visible.
  const sections = body.split(/(?=<h[23] )/).map((section) => `<section>${section}</section>`)
  const main = `<main class="page guide">${sections.join('')}</main>`
  return html(apis[api].title, `<div class="guides beside reference">${menu(api, document)}${main}</div>`, styles)
}

function menu(current: Api, document: Document): string {
  const viewer = `${apis[current].path}/try`
  const others = Object.entries(apis).map(([api, { title, path }]) => link(path, title, api === current))
  const introduction = [...document.info.description.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading)
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: operationsOf(document, name).map(({ summary }) => summary),
  }))
  const lists = [
    ...(introduction.length > 0 ? [{ name: 'Introduction', entries: introduction }] : []),
    ...groups,
    { name: 'Shared', entries: ['Objects', 'Headers', 'Refusals of every request'] },
  ].map(({ name, entries }) => {
    const links = entries.map((entry) => `<li>${link(`#${anchorOf(entry)}`, entry)}</li>`)
    return `<h2>${name}</h2><ul>${links.join('')}</ul>`
  })
  return `<nav class="menu" aria-label="Reference"><p class="apis">${others.join('')}${link(viewer, 'Try calls')}</p>
<details><summary>Contents</summary>${lists.join('')}</details></nav>`
}

function link(href: string, text: string, isCurrent = false): string {
  return `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${text}</a>`
}
