import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Serving, serve } from '../harness/command.ts'
import { startOddFront } from '../takeover/odd-front.ts'
import { examplesOf, guideText } from './example.ts'
import { paste } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'atrium-take-over-'))
const databaseOf = (folder: string, name: string) => ({ ATRIUM_DATABASE: `sqlite:${join(folder, name)}` })
let old: Serving

before(async () => {
  old = await serve(databaseOf(root, 'old.db'), '--demo')
})
after(async () => {
  await old?.stop()
  rmSync(root, { recursive: true, force: true })
})

/** Runs all commands of the guide in a folder of their own, with the installation at this address as the old one. */
async function assertGuideWorks(url: string, folder: string): Promise<string> {
  const tokens = ['acme-pms', 'vesta-tv'].map(
    (id) => new RegExp(`^ {2}${id} .* (atr_\\w+)$`, 'm').exec(old.printed())?.[1],
  )
  writeFileSync(join(folder, 'tokens.txt'), `${tokens.join('\n')}\n`)
  const own = await serve(databaseOf(folder, 'own.db'))
  try {
    const examples = examplesOf(guideText('take-over')).map(({ language, code }) => ({
      language,
      code: code.replaceAll('https://old.example', `${url}/v1`).replaceAll('https://new.example', own.url),
    }))
    const outputs = await paste(examples, folder, databaseOf(folder, 'own.db'))
    const printed = outputs.join('\n')
    for (const form of [
      /^facilities: 2 created, /m,
      /^1 round, \d+ requests, [1-9]\d* differences written$/m,
      /^~ room annecy-01-B-207$/m,
      /^\d+ responses of 2 facilities compared: no differences$/m,
      /^Restored guests\.gz of /m,
    ]) {
      assert.match(printed, form)
    }
    const estate = readFileSync(join(folder, 'estate.yaml'), 'utf8')
    const hidden = /^# - hidden from every token: the field subscribed of facilities \(2, lyon-01, annecy-01\)$/m
    assert.match(estate, hidden)
    for (const token of tokens) assert.ok(token !== undefined && !(printed + estate).includes(token))
    return printed
  } finally {
    await own.stop()
  }
}

describe('every command of the guide works, and afterwards both installations respond alike', () => {
  test('from an Atrium', async () => {
    await assertGuideWorks(old.url, mkdtempSync(join(root, 'plain-')))
  })

  test('from an installation with pages and local times', async () => {
    const front = await startOddFront(old.url, 'Europe/Paris')
    try {
      const printed = await assertGuideWorks(front.url, mkdtempSync(join(root, 'odd-')))
      assert.match(printed, /^ {2}times without an offset, read in Europe\/Paris \(\d/m)
      assert.ok(front.paths.some((path) => /\/areas\?.*cursor=/.test(path)))
    } finally {
      front.close()
    }
  })
})
