import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EstateReceiver } from '../../src/domain/estate.ts'
import { exportToFile } from '../../src/estate/export.ts'

const facilities = ['a', 'b'].map((id) => ({ kind: 'facility' as const, facility: { idExternal: id, name: id } }))

async function textOf(exportTo: (receiver: EstateReceiver) => Promise<void>): Promise<string> {
  let text = ''
  for await (const part of await exportToFile('json', exportTo)) text += part
  return text
}

test('an export that starts over is as one that did not', async () => {
  const whole = await textOf(async ({ begin, receive }) => {
    begin()
    await receive(facilities)
  })
  const startedOver = await textOf(async ({ begin, receive }) => {
    begin()
    await receive(facilities.slice(1))
    begin()
    await receive(facilities)
  })
  assert.equal(startedOver, whole)
  assert.equal(JSON.parse(whole).facilities.length, 2)
})

test('an export that fails throws its error', async () => {
  const failing = textOf(async () => {
    throw new Error('no database')
  })
  await assert.rejects(failing, /no database/)
})
