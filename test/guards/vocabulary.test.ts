import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SourceFile, sourceFiles } from './source.ts'

/** The denied words, and what to write instead; docs/glossary.md defines each word. */
const denied: [pattern: RegExp, instead: string][] = [
  [/\b(?:whoever|somebody|nobody|everybody|anybody|who asks)\b/, 'the caller, the partner, the operator, the process'],
  [/\bat hand\b/, 'cached, a hit'],
  [/(?<=^\W*|[;,] |\band )gives\b/, 'returns'],
  [/\b(?:kept|ready) answers?\b/, 'cached response'],
  [/\b(?:journals?|request book)\b/, 'audit log, request log'],
  [/\b(?:chores?|households?)\b/, 'background job'],
  [/\b(?:crews?|express lane|passengers?)\b/, 'worker pool, fast path'],
  [/\b(?:couriers?|parcels?)\b/, 'webhook dispatcher, delivery'],
  [/\btenants?\b/, 'partner, generation'],
  [/\b(?:provisioning list|occupations?)\b/, 'autocomplete list, cycle'],
  [/\b(?:operator API|place to run)\b/, 'CMS API, deployment'],
]

/** Where a denied word is right: another program's term, or quoted text. */
const allowed: { path: string; text: RegExp; why: string }[] = [
  { path: 'docs/guarantees.md', text: /^\|/, why: 'a row quotes what the reported run called its planted bugs' },
]

const code = ['src', 'test', 'tools', 'bench', 'console', 'client'].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/guides/*.md', 'docs/decisions/*.md']

interface Line {
  text: string
  number: number
}

/** Returns the comments of a program, line by line, without quoted code. */
function commentsOf({ text }: Pick<SourceFile, 'text'>): Line[] {
  const comments = text.matchAll(/^\s*\{?\/\*[\s\S]*?\*\/|(?:^|[\s;{(,])\/\/ .*$/gm)
  return Array.from(comments).flatMap(({ 0: found, index }) => linesAt(text, index, found))
}

/** Returns the English texts that the console shows: string literals of more than one word. */
function textsOf(file: Pick<SourceFile, 'text'>): Line[] {
  const french = /^ {2}\},\n {2}\{\n.*?^ {2}\},\n\)/gms
  const text = file.text.replace(french, (words) => words.replaceAll(/[^\n]/g, ''))
  const literals = text.matchAll(/'(?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*'|"[^"\n]* [^"\n]*"|`[^`]* [^`]*`/g)
  return Array.from(literals).flatMap(({ 0: found, index }) => linesAt(text, index, found))
}

/** Returns a page without its examples, and the glossary without its table, which lists the denied words. */
function proseOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): Line[] {
  const prose = text.replace(/^```.*?^```$/gms, (example) => example.replaceAll(/[^\n]/g, ''))
  const lines = linesAt(prose, 0, prose)
  return path === 'docs/glossary.md' ? lines.filter((line) => !line.text.startsWith('|')) : lines
}

function linesAt(text: string, index: number, found: string): Line[] {
  const first = text.slice(0, index).split('\n').length
  return found.split('\n').map((line, at) => ({ text: line.replace(/`[^`]*`/g, ''), number: first + at }))
}

/** Returns `path:line: "word", write: …` for every denied word. */
function faults(path: string, lines: Line[]): string[] {
  return lines.flatMap((line) =>
    denied.flatMap(([pattern, instead]) => {
      const [word] = new RegExp(pattern, 'i').exec(line.text) ?? []
      if (word === undefined || allowed.some((each) => each.path === path && each.text.test(line.text))) return []
      return [`${path}:${line.number}: "${word}", write: ${instead}`]
    }),
  )
}

describe('one word for one thing, those of docs/glossary.md', () => {
  test('in comments', () => {
    const files = sourceFiles(...code)
    assert.deepEqual(
      files.flatMap((file) => faults(file.path, commentsOf(file))),
      [],
    )
  })

  test('in the texts of the console', () => {
    const files = sourceFiles('console/src/**/*.{ts,tsx}').filter(({ path }) => !path.endsWith('-in-french.ts'))
    assert.deepEqual(
      files.flatMap((file) => faults(file.path, textsOf(file))),
      [],
    )
  })

  test('in the documentation', () => {
    assert.deepEqual(
      sourceFiles(...pages).flatMap((file) => faults(file.path, proseOf(file))),
      [],
    )
  })

  test('and a planted word is found in each of them', () => {
    const text = '/**\n * Gives what `nobody` asked for.\n */\nconst at = 1 /' + '/ at hand\n'
    assert.deepEqual(faults('x.ts', commentsOf({ text })), [
      'x.ts:2: "Gives", write: returns',
      'x.ts:4: "at hand", write: cached, a hit',
    ])
    assert.deepEqual(faults('x.tsx', textsOf({ text: "import a from 'a'\nconst en = 'Whoever it is'" })).length, 1)
    const page = '# Page\n```\nnobody\n```\nThe journal of `somebody`.\n'
    assert.deepEqual(faults('x.md', proseOf({ path: 'x.md', text: page })), [
      'x.md:5: "journal", write: audit log, request log',
    ])
  })

  test('and every exception is needed', () => {
    for (const { path, text, why } of allowed) {
      const [file] = sourceFiles(path)
      assert.ok(file?.lines.some((line) => text.test(line)) === true && why !== '', path)
    }
  })
})
