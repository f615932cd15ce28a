import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSentAsWritten } from '../../console/src/api/path.ts'

const client = new URL('../../console/src/api/client.ts', import.meta.url).href

test('the console sends no path that an id has changed', async () => {
  // Imported without its types, which need the DOM library.
  const { call, segment } = await import(client)
  for (const id of ['', '.', '..']) {
    const path = `/facilities/f/devices/${segment(id)}`
    assert.equal(isSentAsWritten(`/cms/v1${path}`), false, id)
    await assert.rejects(call('DELETE', path), { code: 'path_changed' })
  }
  for (const id of [
    '...',
    '%2e%2e',
    '%2E',
    '../x',
    '..\\x',
    '?x',
    '#x',
    '/',
    '//',
    ' ',
    '.\t.',
    'é',
    '部屋',
    "a;b'(c)*!~",
  ]) {
    assert.equal(isSentAsWritten(`/cms/v1/facilities/f/devices/${segment(id)}?x=//..`), true, id)
  }
})
