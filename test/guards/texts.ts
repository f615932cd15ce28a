import { parseSync } from 'vite'
import { type Node, visitAll } from '../hostile/mutation/syntax.ts'
import type { SourceFile } from './source.ts'

export interface Line {
  text: string
  number: number
}

/** The texts of one program, line by line, without quoted code and inserted expressions. */
export interface Texts {
  comments: Line[]
  /** Strings of several words, except French ones. */
  strings: Line[]
  /** Titles of tests and suites, and of the rows of their tables. */
  titles: Line[]
  /** Each name once, split into words: "parse query" for `parseQuery`. */
  names: Line[]
}

const titled = /^(?:describe|test|it|suite|on[A-Z]\w*|scenarios|atDesks)$/

/** Finds all texts of a program in its syntax tree. */
export function textsIn({ path, text }: Pick<SourceFile, 'path' | 'text'>): Texts {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const strings: Line[] = []
  const titles: Line[] = []
  visitAll(program as unknown as Node, [], (node, parents) => {
    const found = contentOf(node)
    if (found === undefined || !/\S \S/.test(found) || isFrench(node, parents)) return
    const lines = linesAt(text, node.start, found)
    strings.push(...lines)
    if (isTitle(node, parents)) titles.push(...lines)
  })
  const first = new Map(namesIn(program).toReversed())
  const names = Array.from(first, ([name, start]) => ({ text: wordsOf(name), number: lineAt(text, start) }))
  const commented = comments.flatMap(({ start, value }) => linesAt(text, start, value))
  return { comments: commented, strings, titles, names }
}

/** Returns the identifiers of a syntax tree, those of types included, with their offsets. */
function namesIn(tree: unknown): [name: string, start: number][] {
  if (Array.isArray(tree)) return tree.flatMap(namesIn)
  if (typeof tree !== 'object' || tree === null) return []
  const { type, name, start } = tree as Record<string, unknown>
  const own = /^(?:Private)?Identifier$/.test(String(type))
    ? ([[String(name), Number(start)]] as [string, number][])
    : []
  return [...own, ...Object.values(tree).flatMap(namesIn)]
}

/** Splits a name into its words: `maxBatchSize` to "max batch size". */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line++
  return line
}

/** Splits a text that begins at this offset of its file into lines, without quoted code. */
export function linesAt(whole: string, offset: number, found: string): Line[] {
  const first = lineAt(whole, offset)
  return found.split('\n').map((line, at) => ({ text: line.replace(/`[^`]*`/g, ''), number: first + at }))
}

function contentOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'TemplateLiteral') {
    return quasis.map((part: Node) => part.value.raw.replaceAll('\\`', '`')).join('…')
  }
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value : undefined
}

function isFrench(node: Node, parents: Node[]): boolean {
  const call = parents.findLast(({ type, callee }) => type === 'CallExpression' && callee.name === 'defineWords')
  const french = call?.arguments[1]
  return french !== undefined && node.start >= french.start && node.end <= french.end
}

/** Returns whether a text is the first argument of `test` or of a similar function, or `what:` in a table. */
function isTitle(node: Node, parents: Node[]): boolean {
  const parent = parents.at(-1)
  if (parent?.type === 'Property') return ['what', 'when', 'why'].includes(parent.key.name)
  return parent?.type === 'CallExpression' && parent.arguments[0] === node && titled.test(parent.callee.name ?? '')
}
