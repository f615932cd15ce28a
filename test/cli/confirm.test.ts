import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { confirm, isTerminal } from '../../src/cli/confirm.ts'

for (const [answer, isConsent] of [
  ['yes\n', true],
  [' yes \r\n', true],
  ['y\n', false],
  ['no\nyes\n', false],
  ['\n', false],
  ['', false],
] as const) {
  test(`${JSON.stringify(answer)} is ${isConsent ? 'a' : 'no'} confirmation`, async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    input.end(answer)
    assert.equal(await confirm('All will be lost.', { input, output }), isConsent)
    assert.equal(output.read().toString(), 'All will be lost. Type yes to go on: ')
  })
}

test('a terminal is needed for both input and output', () => {
  const [person, pipe] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()]
  assert.equal(isTerminal({ input: person, output: person }), true)
  assert.equal(isTerminal({ input: pipe, output: person }), false)
  assert.equal(isTerminal({ input: person, output: pipe }), false)
})
