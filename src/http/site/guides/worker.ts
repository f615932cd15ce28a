import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { html } from '../page.ts'
import { type Guide, renderGuide } from './render.ts'

interface Audience {
  title: string
  guides: { title: string; name: string }[]
}

const head = '<link rel="stylesheet" href="/assets/guides.css"><script type="module" src="/assets/guides.js"></script>'

/** The search form. It is hidden until the script shows it, because search needs JavaScript. */
const search = `<search class="find" hidden><label for="find">Search the guides</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" aria-describedby="found" aria-keyshortcuts="/">
<p id="found" role="status"></p><ol></ol></search>`

function listPage({ title, html: body }: Guide): string {
  return html(title, `<div class="guides">${search}<main class="page guide list">${body}</main></div>`, head)
}

function guidePage(name: string, { title, html: body }: Guide, audiences: Audience[]): string {
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

/** Returns a guide as it is served in Markdown. Links to files that are not served become plain text. */
function servedMarkdown(markdown: string): string {
  return markdown.replace(/^<!--.*-->\n\n?/gm, '').replace(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1')
}

/** Returns /llms.txt (llmstxt.org), which describes this site to language models and links the guides. */
function llmsText(list: string): string {
  const sections = list.split(/^## /m).filter((section) => /^For (partners|operators)/.test(section))
  const guides = sections.map((section) => `## ${section}`.replaceAll('](', '](/docs/guides/').trim())
  return `# Atrium

> The partner API (/v1) of an installation of Atrium: facilities with rooms (hotels, hospitals), their properties, their rooms,
> and the services of each room's current guest. Every route needs a bearer token, which the operator of the installation
> issues.

## API

- [OpenAPI document](/openapi.json): every route of /v1, with schemas, examples and problem codes
- [OpenAPI document of the CMS API](/cms/openapi.json): the API of operators
- [Problems](/problems): what each problem code means
- [Downloads](/downloads): a typed client, collections, and a program that tests an installation

${guides.join('\n\n')}
`
}

const folder = join(import.meta.dirname, '../../../../docs/guides')
const list = 'README'

/** All rendered guides: `pages` by name ('' is the list of guides), `files` by file name; `index` is for the search. */
export interface Guides {
  pages: Record<string, string>
  files: Record<string, string>
  llms: string
  index: { page: string; heading: string; path: string; text: string }[]
}

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
const read = (name: string) => readFileSync(join(folder, `${name}.md`), 'utf8')
const rendered = new Map(names.map((name) => [name, renderGuide(read(name), (other) => names.includes(other))]))
const audiences = parseAudiences(read(list))

parentPort?.postMessage(JSON.stringify(renderAll()))

function renderAll(): Guides {
  const guides = [...rendered].filter(([name]) => name !== list)
  const pages = Object.fromEntries(guides.map(([name, guide]) => [name, guidePage(name, guide, audiences)]))
  const first = rendered.get(list)
  return {
    pages: { ...pages, ...(first && { '': listPage(first) }) },
    files: Object.fromEntries(names.map((name) => [`${name}.md`, servedMarkdown(read(name))])),
    llms: llmsText(read(list)),
    index: guides.flatMap(([name, guide]) => searchEntries(name, guide)),
  }
}

function searchEntries(name: string, { title, sections }: Guide): Guides['index'] {
  return sections.map(({ heading, anchor, text }, at) => {
    const path = `/docs/guides/${name}${at === 0 ? '' : `#${anchor}`}`
    return { page: title, heading, path, text }
  })
}

/** Parses the list of guides in README.md, which determines their order in the menus. */
function parseAudiences(markdown: string): Audience[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0] ?? '',
      guides: Array.from(part.matchAll(/^- \[(.+?)\]\(([\w-]+)\.md\)/gm), ([, title = '', name = '']) => ({
        title,
        name,
      })),
    }))
}
