import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { harnesses } from './harnesses.ts'
import { root } from './plant.ts'

describe('every planted bug still fits the sources', () => {
  for (const { name, planted } of harnesses) {
    for (const bug of planted) {
      test(`${name}: ${bug.name}`, async () => {
        const text = readFileSync(join(root, bug.file), 'utf8')
        const places = text.split(bug.find).length - 1
        assert.equal(places, 1, `its text stands ${places} times in ${bug.file}`)
        if (bug.file.endsWith('.ts')) await assertParses(text.replace(bug.find, () => bug.replace))
      })
    }
  }

  test('each harness has one', () => {
    const without = harnesses.filter(({ planted }) => planted.length === 0)
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    )
  })
})

/**
 * Throws a SyntaxError for a planted bug that keeps the program from starting: a harness would catch any such bug. The
 * unknown import keeps a correct module from running.
 */
async function assertParses(source: string): Promise<void> {
  const code = `${stripTypeScriptTypes(source)}\nimport 'unknown:module'`
  await import(`data:text/javascript,${encodeURIComponent(code)}`).catch((error) => {
    if (error instanceof SyntaxError) throw error
  })
}
