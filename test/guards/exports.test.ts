import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { importsOf } from './imports.ts'
import { type SourceFile, sourceFiles } from './source.ts'

type Source = Pick<SourceFile, 'path' | 'text'>

const checked = 'src/**/*.ts'
const unchecked = 'src/storage/migrations/**'

const declaration = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

/** Returns `path: name` of each export that no other file imports. A namespace or dynamic import uses all names. */
function unused(files: Source[], importers: Source[]): string[] {
  const used = new Set(importers.flatMap(importsOf).flatMap(({ what, names }) => names.map((name) => use(what, name))))
  return files.flatMap(({ path, text }) =>
    Array.from(text.matchAll(declaration), ([, name = '']) => name)
      .filter((name) => !used.has(use(path, name)) && !used.has(use(path, '*')))
      .map((name) => `${path}: ${name}`),
  )
}

function use(path: string, name: string): string {
  return `${path}: ${name.startsWith('*') ? '*' : name.replace(/ as .*/, '')}`
}

test('every export is imported somewhere', () => {
  const importers = sourceFiles('{src,test,tools,bench,client,console}/**/*.{ts,tsx,mjs}')
  const files = sourceFiles(checked).filter(({ path }) => !matchesGlob(path, unchecked))
  assert.ok(files.length > 200)
  assert.deepEqual(unused(files, importers), [])
})

test('the guard finds an export that nothing imports', () => {
  const file = {
    path: 'src/domain/x.ts',
    text: 'export const one = 1\nexport interface Two {}\nexport function three() {}\n',
  }
  const importing = (text: string) => [{ path: 'src/domain/y.ts', text }]
  assert.deepEqual(unused([file], importing("import { one as other, type Two } from './x.ts'\n")), [
    'src/domain/x.ts: three',
  ])
  assert.deepEqual(unused([file], importing("import * as x from './x.ts'\n")), [])
  assert.deepEqual(unused([file], importing("const { one } = await import('./x.ts')\n")), [])
})
