import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { sourceFiles } from './source.ts'

const folders = ['src', 'test', 'bin', 'bench', 'client', 'console', 'tools']
const code = folders.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`)
const texts = [...code, '*.md', 'docs/**/*.md', 'demo/*.*', '*.json', '.ci/**/*.*']

// Concatenated, so that this file does not find itself.
const later = new RegExp(`\\b(?:${['TO', 'FIX'].map((word, at) => word + ['DO', 'ME'][at]).join('|')})\\b`)
const marks = ['only', 'skip', 'todo'].join('|')
const leftOut = new RegExp(`\\b(?:test|it|describe|suite)\\.(?:${marks})\\b|[{,]\\s*(?:${marks}):\\s*(?!\\[)`)
const httpImport = /^import (?!type ).*'node:http'/
const environment = /process\.env|\benv\b.*from 'node:process'/

/** Returns `path:line` of every line that matches the pattern. */
function places(patterns: string[], pattern: RegExp): string[] {
  return sourceFiles(...patterns).flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  )
}

test('no folder has more than 25 files, and src/http no more than 12 of its own', () => {
  const byFolder = Map.groupBy(sourceFiles('src/**/*.{ts,mjs}'), ({ path }) => posix.dirname(path))
  const full = [...byFolder].filter(([folder, files]) => files.length > (folder === 'src/http' ? 12 : 25))
  assert.deepEqual(
    full.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  )
})

test('no file has more than 250 lines', () => {
  // Generated files may be longer.
  const files = sourceFiles(...code).filter(({ text }) => !text.startsWith('// Made from '))
  const long = files.filter(({ text }) => text.trimEnd().split('\n').length > 250)
  assert.ok(files.length > 100)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

test('nothing tells a reader to run a package that may not be installed', () => {
  // npx and similar tools fetch a package of that name from the registry and run it with the arguments and the input.
  const documents = [
    '*.md',
    'docs/**/*.md',
    'client/**/*.md',
    'collections/**/*.md',
    'examples/**/*.*',
    'deploy/**/*.*',
    'deploy/**/Dockerfile',
    'demo/*.*',
  ]
  const texts = [...documents, 'src/**/*.{ts,mjs}', 'console/src/**/*.{ts,tsx}', 'bin/*.mjs']
  const fetching = /\b(?:npx|bunx|pnpm dlx|yarn dlx|npm (?:exec|x|init|create))\b/
  assert.match('echo $TOKEN | npx atrium check', fetching)
  assert.deepEqual(places(texts, fetching), [])
  // An archive or a folder may be named, since it is not fetched from the registry.
  const byName = /\bnpm (?:i|install|add)(?: -\S+)* (?:@atrium\/client|atrium)(?![\w/.-])/
  assert.match('npm install --global atrium', byName)
  assert.doesNotMatch('npm install ./atrium-0.1.0.tgz', byName)
  assert.deepEqual(places(texts, byName), [])
})

test('the environment is read in one place, which main.ts hands over', () => {
  const readers = places(['src/**/*.ts'], environment)
  assert.deepEqual(
    readers.map((place) => place.replace(/:\d+$/, '')),
    ['src/main.ts'],
  )
})

test('no source imports node:http, which would load the fetch client of Node at every start', () => {
  assert.deepEqual(places(['src/**/*.ts'], httpImport), [])
})

test('nothing is left to be done later', () => assert.deepEqual(places(texts, later), []))

test('no test is left out, and none runs alone', () => assert.deepEqual(places(['test/**/*.ts'], leftOut), []))

test('the rules find planted violations', () => {
  for (const word of ['TO', 'FIX']) assert.match(`// ${word}${word === 'TO' ? 'DO' : 'ME'}: later`, later)
  for (const mark of marks.split('|')) {
    assert.match(`  test.${mark}('x', () => {})`, leftOut)
    assert.match(`  test('x', { ${mark}: true }, () => {})`, leftOut)
  }
  assert.match('const { HOME } = process.env', environment)
  assert.match("import { env } from 'node:process'", environment)
  assert.match("import { createServer, type Server } from 'node:http'", httpImport)
  assert.doesNotMatch("import type { Server } from 'node:http'", httpImport)
})
