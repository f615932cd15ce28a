import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readManifest } from '../../tools/supply/lockfile.ts'
import { importsOf } from './imports.ts'
import { sourceFiles } from './source.ts'

const root = join(import.meta.dirname, '../..')
const sources = '*.{ts,tsx,mjs}'
const packages: Record<string, string[]> = {
  '.': [`{bin,src,test,tools}/**/${sources}`],
  bench: [`bench/${sources}`, `bench/{driver,estate,limits,measure,report,peers/*}/${sources}`],
  client: [`client/src/**/${sources}`],
  console: [`console/${sources}`, `console/src/**/${sources}`],
}

/** Lists the packages that the files of a folder import, `@scope/name/part` as `@scope/name`. */
function importedBy(folder: string): string[] {
  const names = sourceFiles(...(packages[folder] ?? []))
    .flatMap(importsOf)
    .map(({ what }) => /^(@[^/]+\/)?[^/:$]+(?=\/|$)/.exec(what)?.[0])
    .filter((name) => name !== undefined)
  return [...new Set(names)].filter((name) => !isOfProject(name)).sort()
}

/** The folder to which a relative import leads. */
function isOfProject(name: string): boolean {
  return /^(assets|bench|bin|client|console|docs|src|test|tools|\.\.?)$/.test(name)
}

function declaredBy(folder: string): string[] {
  const { dependencies, devDependencies } = readManifest(join(root, folder))
  return Object.keys({ ...dependencies, ...devDependencies })
}

describe('each package.json', () => {
  for (const folder of Object.keys(packages)) {
    test(`${folder} declares what its files import`, () => {
      const declared = declaredBy(folder)
      assert.deepEqual(
        importedBy(folder).filter((name) => !declared.includes(name)),
        [],
      )
    })
  }

  for (const folder of ['bench', 'client', 'console']) {
    test(`${folder} declares nothing else`, () => {
      const imported = importedBy(folder)
      const isOfTypes = (name: string) => imported.includes(name.replace('@types/', ''))
      assert.deepEqual(
        declaredBy(folder).filter((name) => !imported.includes(name) && !isOfTypes(name)),
        [],
      )
    })
  }

  test('of the root lists the workspaces', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.deepEqual(
      workspaces,
      Object.keys(packages).filter((folder) => folder !== '.'),
    )
  })
})
