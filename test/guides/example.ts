import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../docs/guides')

export function guideText(name: string): string {
  return readFileSync(join(folder, `${name}.md`), 'utf8')
}

/** Lists the guides for one kind of reader, in the order of the list. */
export function guidesFor(audience: string): string[] {
  const part = guideText('README').split(`\n## For ${audience}\n`)[1]?.split('\n## ')[0] ?? ''
  return Array.from(part.matchAll(/\]\(([\w-]+)\.md\)/g), ([, name = '']) => name)
}

/** A command of a guide, and its documented output. */
export interface Example {
  language: string
  code: string
  answer?: { language: string; text: string }
}

export function examplesOf(markdown: string): Example[] {
  const examples: Example[] = []
  for (const [, language = '', text = ''] of markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const last = examples.at(-1)
    if (['sh', 'js'].includes(language)) examples.push({ language, code: text })
    else if (last !== undefined && ['json', 'http', 'text'].includes(language)) last.answer ??= { language, text }
  }
  return examples
}

/** Compares the output with the documented one, where `…` stands for anything. */
export function assertAnswer({ code, answer }: Example, output: string): void {
  if (answer === undefined) return
  if (answer.language === 'json') return assertAlike(JSON.parse(output), JSON.parse(answer.text), code)
  const lines = output.split('\n').map((line) => line.trim())
  for (const line of answer.text.trim().split('\n')) {
    const form = new RegExp(`^${line.split('…').map(RegExp.escape).join('.+')}$`)
    assert.ok(
      lines.some((one) => form.test(one)),
      `${code}\nshould say ${line}, and says\n${output}`,
    )
  }
}

function assertAlike(actual: unknown, shown: unknown, code: string): void {
  const filled = fill(shown, actual)
  assert.deepEqual(actual, filled, code)
}

/** Fills the documented output with the values that vary, taken from the real output. */
function fill(shown: unknown, actual: unknown): unknown {
  if (shown === '…') return actual
  if (Array.isArray(shown)) return shown.map((one, at) => fill(one, (actual as unknown[])?.[at]))
  if (shown === null || typeof shown !== 'object') return shown
  return Object.fromEntries(
    Object.entries(shown).map(([name, one]) => [name, fill(one, (actual as Record<string, unknown>)?.[name])]),
  )
}
