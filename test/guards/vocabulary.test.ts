import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type SourceFile, sourceFiles } from './source.ts'
import { type Line, linesAt, textsIn } from './texts.ts'

/** The denied words, and what to write instead; docs/glossary.md defines each word. */
const denied: [pattern: RegExp, instead: string][] = [
  [/\b(?:whoever|somebody|nobody|everybody|anybody|who asks)\b/, 'the caller, the partner, the operator, the process'],
  [/\b(?:at hand|what is (?:remembered|gone))\b/, 'cached, a hit; purged'],
  [/(?<=^\W*|[;,] |\band )gives\b/, 'returns'],
  [/\btold\b(?! apart)/, 'notified, reported, described'],
  [/\banswer(?:s|ed)?\b/, 'response, responds, returns'],
  [/\b(?:journals?|request book)\b/, 'audit log, request log'],
  [/\b(?:chores?|households?)\b/, 'background job'],
  [/\b(?:crews?|express lane|passengers?|doors?|shortcuts?)\b/, 'worker pool, fast path, admission'],
  [/\b(?:couriers?|parcels?)\b/, 'webhook dispatcher, delivery'],
  [/\b(?:tenants?|eras?|stamps?)\b/, 'partner, generation, version'],
  [/\b(?:provisioning list|occupations?)\b/, 'autocomplete list, cycle'],
  [/\b(?:operator API|planes?|place to run)\b/, 'CMS API, deployment'],
]

/** Where a denied word is right: another program's term, or quoted text. */
const allowed: { path: string; text: RegExp; why: string }[] = [
  { path: 'docs/guarantees.md', text: /^\|/, why: 'a row quotes what the reported run called its planted bugs' },
]

const code = ['src', 'test', 'tools', 'bench', 'console', 'client'].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
const consoleCode = 'console/src/**/*.{ts,tsx}'
/** The code whose strings are messages; those of `src/storage` are SQL. */
const messages = ['src/{check,cli,domain,estate,http,operations,takeover,webhooks}/**/*.ts', 'src/*.ts']
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/guides/*.md', 'docs/decisions/*.md']

/** Returns a page without its examples, and the glossary without its table, which lists the denied words. */
function proseOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): Line[] {
  const prose = text.replace(/^```.*?^```$/gms, (example) => example.replaceAll(/[^\n]/g, ''))
  const lines = linesAt(prose, 0, prose)
  return path === 'docs/glossary.md' ? lines.filter((line) => !line.text.startsWith('|')) : lines
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

function assertNone(files: SourceFile[], linesOf: (file: SourceFile) => Line[]): void {
  assert.deepEqual(
    files.flatMap((file) => faults(file.path, linesOf(file))),
    [],
  )
}

describe('one word for one thing, those of docs/glossary.md', () => {
  test('in comments', () => assertNone(sourceFiles(...code), (file) => textsIn(file).comments))

  test('in the titles of tests', () => assertNone(sourceFiles('test/**/*.test.ts'), (file) => textsIn(file).titles))

  test('in the texts of the console', () => {
    const files = sourceFiles(consoleCode).filter(({ path }) => !path.endsWith('-in-french.ts'))
    assertNone(files, (file) => textsIn(file).strings)
  })

  test('in messages and in the API reference', () => {
    assertNone(sourceFiles(...messages), (file) => textsIn(file).strings)
  })

  test('in the documentation', () => assertNone(sourceFiles(...pages), proseOf))

  test('and a planted word is found in each of them', () => {
    const text = `
      /** Gives what \`nobody\` asked for. */
      const at = 1 // at hand
      test(\`the \${crew} answers\`, () => {})
      const words = defineWords('Whoever it is', 'la courier est là')
    `
    const { comments, titles, strings } = textsIn({ path: 'x.ts', text })
    assert.deepEqual(faults('x.ts', comments), [
      'x.ts:2: "Gives", write: returns',
      'x.ts:3: "at hand", write: cached, a hit; purged',
    ])
    assert.deepEqual(faults('x.ts', titles), ['x.ts:4: "answers", write: response, responds, returns'])
    assert.equal(faults('x.ts', strings).length, 2)
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
