import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { llmsText, servedMarkdown } from './markdown.ts'
import { type Audience, guidePage, listPage } from './page.ts'
import { type Guide, renderGuide } from './render.ts'

const folder = join(import.meta.dirname, '../../../../docs/guides')
const list = 'README'

/**
 * All rendered guides: HTML pages by name (the list of guides has the name ''), Markdown by file name, the search
 * index, and the text of /llms.txt.
 */
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
