import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { describe, test } from 'node:test'
import { type SourceFile, sourceFiles } from './source.ts'
import { type Line, linesAt, type Texts, textsIn } from './texts.ts'

/** The denied words, and what to write instead; docs/glossary.md defines each word. */
const denied: [pattern: RegExp, instead: string][] = [
  [/\b(?:whoever|somebody|nobody|everybody|anybody|who asks)\b/i, 'the caller, the partner, the operator, the process'],
  [/\b(?:at hand|what is (?:remembered|gone))\b/i, 'cached, a hit; purged'],
  [/(?<=^\W*|[;,] |\band )gives\b/i, 'returns'],
  [/\btold\b(?! apart)/i, 'notified, reported, described'],
  [/\banswer(?:s|ed)?\b/i, 'response, responds, returns'],
  [/\b(?:journals?|request book)\b/i, 'audit log, request log'],
  [/\b(?:chores?|households?)\b/i, 'background job'],
  [/\b(?:crews?|express lane|passengers?|doors?|shortcuts?)\b/i, 'worker pool, fast path, admission'],
  [/\b(?:couriers?|parcels?)\b/i, 'webhook dispatcher, delivery'],
  [/\b(?:tenants?|eras?|stamps?)\b/i, 'partner, generation, version'],
  [/\b(?:provisioning list|occupations?)\b/i, 'autocomplete list, cycle'],
  [/\b(?:operator API|planes?|place to run)\b/i, 'CMS API, deployment'],
]

/** Where a denied word is right; `path` is a glob. */
const allowed: { path: string; text: RegExp; why: string }[] = [
  { path: 'docs/guarantees.md', text: /^\|/, why: 'a row quotes what the reported run called its planted bugs' },
  { path: 'src/http/cms/**/*.ts', text: /^answer( status)?$/, why: 'a field of the CMS API' },
  { path: 'src/cli/remote/progress-lines.ts', text: /^answer$/, why: 'a field of the CMS API' },
  { path: 'console/src/{api/client.ts,pages/access/verdict.tsx}', text: /^answer$/, why: 'a field of the CMS API' },
  { path: 'src/storage/{table-rows,idempotency}.ts', text: /^answer$/, why: 'a column of the database' },
  { path: 'test/faults/idempotency.ts', text: /answer = ''/, why: 'a column of the database' },
  { path: 'src/storage/cached/estate-cache.ts', text: /^answers$/, why: 'the label of a metric' },
  { path: 'deploy/grafana/atrium.json', text: /of=\\"answers\\"/, why: 'the label of a metric' },
  { path: 'src/domain/time.ts', text: /^era$/, why: 'an option of Intl.DateTimeFormat' },
  { path: 'tools/screenshots/*.ts', text: /Keyline Door|door controllers/, why: 'the name of a company and its token' },
]
const used = new Set<(typeof allowed)[number]>()

const programs = ['src', 'test', 'tools', 'bench', 'console', 'client'].map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
/** The code whose strings are messages; those of `src/storage` are SQL. */
const messages = [
  'src/{check,cli,domain,estate,http,operations,takeover,webhooks}/**/*.ts',
  'src/*.ts',
  'console/src/**/*.{ts,tsx}',
  'client/src/*.ts',
  '{bench,tools}/**/*.ts',
  'test/{faults,hostile,torture,harness,check,place,model}/**/*.ts',
]
const named = ['{src,console/src,client/src}/**/*.{ts,tsx}']
const pages = [
  '*.md',
  'docs/*.md',
  'docs/guides/*.md',
  'docs/decisions/*.md',
  '{client,collections,console,deploy,demo}/**/*.md',
]
const otherFiles = [
  'deploy/**/*.{yaml,json,cfg,mjs,service,tpl,txt}',
  'deploy/Dockerfile',
  '.github/**/*.yaml',
  '**/*.css',
]

const parsed = new Map<string, Texts>()
/** Parses each file once for all tests. */
function textsOf(file: SourceFile): Texts {
  const texts = parsed.get(file.path) ?? textsIn(file)
  parsed.set(file.path, texts)
  return texts
}

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
      const [word] = pattern.exec(line.text) ?? []
      if (word === undefined) return []
      const exception = allowed.find((each) => matchesGlob(path, each.path) && each.text.test(line.text))
      if (exception !== undefined) used.add(exception)
      return exception === undefined ? [`${path}:${line.number}: "${word}", write: ${instead}`] : []
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
  test('in comments', () => assertNone(sourceFiles(...programs), (file) => textsOf(file).comments))

  test('in the titles of tests', () => assertNone(sourceFiles('test/**/*.test.ts'), (file) => textsOf(file).titles))

  test('in messages, in the API reference and in the console', () => {
    const files = sourceFiles(...messages).filter(({ path }) => !path.endsWith('-in-french.ts'))
    assertNone(files, (file) => textsOf(file).strings)
  })

  test('in names', () => assertNone(sourceFiles(...named), (file) => textsOf(file).names))

  test('in the documentation', () => assertNone(sourceFiles(...pages), proseOf))

  test('in deployment files and style sheets', () => {
    assertNone(sourceFiles(...otherFiles), ({ text }) => linesAt(text, 0, text))
  })

  test('and a planted word is found in each of them', () => {
    const text = `
      /** Gives what \`nobody\` asked for. */
      const at = 1 // at hand
      test(\`the \${crew} answers\`, () => {})
      const words = defineWords('Whoever it is', 'la courier est là')
    `
    const { comments, titles, strings, names } = textsIn({ path: 'x.ts', text })
    assert.deepEqual(faults('x.ts', comments), [
      'x.ts:2: "Gives", write: returns',
      'x.ts:3: "at hand", write: cached, a hit; purged',
    ])
    assert.deepEqual(faults('x.ts', titles), ['x.ts:4: "answers", write: response, responds, returns'])
    assert.equal(faults('x.ts', strings).length, 2)
    assert.deepEqual(faults('x.ts', names), ['x.ts:4: "crew", write: worker pool, fast path, admission'])
    const page = '# Page\n```\nnobody\n```\nThe journal of `somebody`.\n'
    assert.deepEqual(faults('x.md', proseOf({ path: 'x.md', text: page })), [
      'x.md:5: "journal", write: audit log, request log',
    ])
  })

  test('and every exception is needed', () => {
    assert.deepEqual(
      allowed.filter((one) => !used.has(one)),
      [],
    )
  })
})
