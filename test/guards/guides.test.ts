import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'
import { anchorOf } from '../../src/http/site/guides/render.ts'
import { collectionFiles, keptCollections } from '../../tools/collections.ts'
import { guideTexts, upToDate } from '../../tools/guides.ts'
import { sourceFiles } from './source.ts'

const root = join(import.meta.dirname, '../..')

test('the generated parts of the guides are up to date', () => {
  for (const [file, text] of guideTexts()) {
    assert.equal(text, upToDate(text), `docs/guides/${file} is out of date: run \`npm run openapi\``)
  }
})

test('the collections are up to date', () => {
  const sorted = (files: Map<string, string>) => [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  assert.deepEqual(sorted(keptCollections()), sorted(collectionFiles()), 'out of date: run `npm run openapi`')
})

test('the list of guides has each of them once', () => {
  const texts = guideTexts()
  const listed = Array.from(texts.get('README.md')?.matchAll(/^- \[.+?\]\((.+?\.md)\): /gm) ?? [], ([, file]) => file)
  assert.deepEqual(listed.toSorted(), [...texts.keys()].filter((file) => file !== 'README.md').sort())
})

test('the documented default of a setting is the one that applies', () => {
  const defaults = readConfig({})
  for (const { name, default: value } of settings) {
    if (!['none', 'its host'].includes(value)) assert.deepEqual(readConfig({ [name]: value }), defaults, name)
  }
})

test('the deprecations that the guide shows can be set', () => {
  const [, shown] = /^```json\n(.*?)^```$/ms.exec(guideTexts().get('settings.md') ?? '') ?? []
  assert.equal(readConfig({ ATRIUM_DEPRECATIONS: shown }).deprecations.length, 1)
})

describe('every link leads somewhere', () => {
  for (const { path, text } of sourceFiles('*.md', '{client,collections,examples}/*.md', 'docs/**/*.md')) {
    test(path, () => assert.deepEqual(brokenLinks(path, text), []))
  }

  test('and one that does not is found', () => {
    const text = '[a](README.md) [b](none.md) [c](README.md#nowhere) [d](#here)\n## Here\n```\n[e](none.md)\n```'
    assert.deepEqual(brokenLinks('CHANGELOG.md', text), ['none.md', 'README.md#nowhere'])
  })
})

function brokenLinks(path: string, text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, (code) => code.replaceAll('](', ']'))
  const links = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, href = '']) => href)
  return links.filter((href) => !/^(https?|mailto):/.test(href) && !leadsSomewhere(path, text, href))
}

function leadsSomewhere(path: string, text: string, href: string): boolean {
  const [file = '', anchor] = href.split('#')
  const target = join(root, dirname(path), file)
  if (file !== '' && !existsSync(target)) return false
  if (anchor === undefined) return true
  const headings = (file === '' ? text : readFileSync(target, 'utf8')).matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading = '']) => anchorOf(heading)).includes(anchor)
}
