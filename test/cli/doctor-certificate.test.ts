import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkCertificate } from '../../src/cli/doctor/certificate.ts'
import { certificates } from '../harness/certificates.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-doctor-'))
const file = (name: string) => join(folder, name)

before(() => {
  for (const [name, { certificate, key }] of Object.entries(certificates)) {
    writeFileSync(file(`${name}.pem`), certificate)
    writeFileSync(file(`${name}.key`), key)
  }
})
after(() => rmSync(folder, { recursive: true }))

describe('atrium doctor on the certificate', () => {
  const at = (text: string) => Date.parse(text)
  const rows: [string, string, string, number, boolean, RegExp][] = [
    ['that is good', 'first.pem', 'first.key', at('2030-01-01'), true, /CN=first.* to 2126-01-01$/],
    ['that ends soon', 'first.pem', 'first.key', at('2125-12-25'), false, /to 2126-01-01$/],
    ['that has ended', 'ended.pem', 'ended.key', at('2030-01-01'), false, /to 2021-01-01$/],
    ['that has not begun', 'first.pem', 'first.key', at('2025-12-31'), false, /from 2026-01-01/],
    ['with the key of another', 'first.pem', 'second.key', at('2030-01-01'), false, /does not belong to/],
    ['that is a key', 'first.key', 'first.key', at('2030-01-01'), false, /cannot be used/],
    ['that is not there', 'none.pem', 'first.key', at('2030-01-01'), false, /cannot be used \(ENOENT\)/],
  ]
  for (const [what, certificate, key, nowMs, ok, says] of rows) {
    test(`one ${what}`, () => {
      const [found] = checkCertificate({ tls: { certificate: file(certificate), key: file(key) } }, nowMs)
      assert.equal(found?.ok, ok)
      assert.match(found?.detail ?? '', says)
      assert.ok(found?.advice)
    })
  }

  test('without TLS there is no finding', () => assert.deepEqual(checkCertificate({ tls: null }), []))
})
