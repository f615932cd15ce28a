import { Marked, type Token, type Tokens } from 'marked'

interface Section {
  heading: string
  /** The id of the heading, without `#`, for links to it. */
  anchor: string
  text: string
}

export interface Guide {
  title: string
  html: string
  sections: Section[]
}

/** Renders a guide as HTML. Keeps links to guides (`isGuide`); links to other files become plain text. */
export function renderGuide(markdown: string, isGuide: (name: string) => boolean): Guide {
  const marked = new Marked({ renderer: { heading, code, table, link: linkTo(isGuide) } })
  const tokens = marked.lexer(markdown).filter(({ type, raw }) => type !== 'html' || !raw.startsWith('<!--'))
  const sections = sectionsOf(tokens, (token) => plain(marked.parser([token])))
  return { title: sections[0]?.heading ?? '', html: marked.parser(tokens), sections }
}

/** Returns the id of a heading by the rules of GitHub, so that the same links work on GitHub and here. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function sectionsOf(tokens: Token[], textOf: (token: Token) => string): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    const text = textOf(token)
    const last = sections.at(-1)
    if (token.type === 'heading') sections.push({ heading: text, anchor: anchorOf(text), text: '' })
    else if (last !== undefined) last.text = `${last.text} ${text}`.trim()
  }
  return sections
}

const entities: Record<string, string> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '&': '&amp;' }
const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]))

function plain(html: string): string {
  return html
    .replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[\w#]+;/g, (entity) => characters.get(entity) ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

interface Renderer {
  parser: { parseInline(tokens: Token[]): string }
}

function heading(this: Renderer, { depth, tokens }: Tokens.Heading): string {
  const html = this.parser.parseInline(tokens)
  const anchor = anchorOf(plain(html))
  return depth === 1
    ? `<h1 id="${anchor}">${html}</h1>`
    : `<h${depth} id="${anchor}"><a href="#${anchor}">${html}</a></h${depth}>`
}

/** Renders a block of code. It can be wider than the page, and `tabindex` lets the keyboard scroll it. */
function code({ text, lang }: Tokens.Code): string {
  return `<pre tabindex="0" class="${escaped(lang ?? '')}"><code>${escaped(text)}</code></pre>`
}

/** Renders a table. Each cell has its column's heading in `data-label`, which narrow screens show beside the cell. */
function table(this: Renderer, { header, rows }: Tokens.Table): string {
  const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
  const labels = header.map((cell) => escaped(plain(inline(cell))))
  const head =
    labels.join('') === '' ? '' : `<thead><tr>${header.map((cell) => `<th>${inline(cell)}</th>`).join('')}</tr></thead>`
  const body = rows.map((row) => row.map((cell, at) => `<td data-label="${labels[at]}">${inline(cell)}</td>`).join(''))
  return `<div class="wide" tabindex="0"><table>${head}<tbody><tr>${body.join('</tr><tr>')}</tr></tbody></table></div>`
}

function linkTo(isGuide: (name: string) => boolean) {
  return function link(this: Renderer, { href, tokens }: Tokens.Link): string {
    const html = this.parser.parseInline(tokens)
    const target = targetOf(href, isGuide)
    return target === undefined ? html : `<a href="${escaped(target)}">${html}</a>`
  }
}

function targetOf(href: string, isGuide: (name: string) => boolean): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === 'README') return `/docs/guides${anchor}`
  return isGuide(name) ? `/docs/guides/${name}${anchor}` : undefined
}
