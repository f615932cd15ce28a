import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { onEachEngine } from '../harness/atrium.ts'

const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
const rooms = Array.from({ length: 50 }, (_, n) => ({ id: `${n}`, name: `Room ${n}` }))
const estate = {
  facilities: [{ id_external: 'f', name: 'F', areas: rooms }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

onEachEngine('compression', { estate }, (atrium) => {
  /** Unlike fetch, does not decode the body. */
  const read = (path: string, headers: Record<string, string>) =>
    new Promise<{ status?: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const options = { headers: { authorization: `Bearer ${atrium().tokens.p}`, ...headers } }
      get(atrium().url + path, options, async (response) => {
        const chunks = await Array.fromAsync(response)
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) })
      }).on('error', reject)
    })
  const areas = '/v1/facilities/f/areas'

  const choices: [string, keyof typeof decoders | undefined][] = [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1, br;q=0.5, zstd;q=0.1', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0.1, br;q=0.05', 'gzip'],
    ['*;q=0.1, br;q=0.2', 'br'],
    ['*, gzip;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['gzip, identity', 'gzip'],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    ['identity, *;q=0.5', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ]
  for (const [accept, encoding] of choices) {
    test(`Accept-Encoding: ${accept} gets ${encoding ?? 'the plain bytes'}`, async () => {
      const plain = await read(areas, {})
      const answer = await read(areas, { 'accept-encoding': accept })
      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.headers.vary, 'Authorization, Accept-Encoding')
      const bytes = encoding === undefined ? answer.bytes : decoders[encoding](answer.bytes)
      assert.deepEqual(bytes, plain.bytes)
      if (encoding === undefined) return assert.equal(answer.headers.etag, plain.headers.etag)
      assert.ok(answer.bytes.length < plain.bytes.length / 2)
      assert.notEqual(answer.headers.etag, plain.headers.etag)
      const again = await read(areas, { 'accept-encoding': accept, 'if-none-match': String(answer.headers.etag) })
      assert.deepEqual([again.status, again.bytes.length], [304, 0])
    })
  }

  test('the ETag of a compressed response is accepted in If-Match', async () => {
    const { headers } = await read('/v1/facilities/f/areas_autocomplete_list', { 'accept-encoding': 'gzip' })
    const etag = String(headers.etag).replace(/(\.gzip)?"$/, '.gzip"')
    const answer = await atrium().ask('PATCH /v1/facilities/f/areas_autocomplete_list', {
      as: 'p',
      body: { value: [] },
      headers: { 'if-match': etag },
    })
    assert.equal(answer.status, 200)
  })

  test('small responses are not compressed', async () => {
    const answer = await read('/v1/facilities/', { 'accept-encoding': 'gzip' })
    assert.equal(answer.headers['content-encoding'], undefined)
  })
})
