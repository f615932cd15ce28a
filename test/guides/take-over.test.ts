import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Serving, serve } from '../harness/command.ts'
import { examplesOf, guideText } from './example.ts'
import { paste } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-take-over-'))
const databaseOf = (name: string) => ({ ATRIUM_DATABASE: `sqlite:${join(folder, name)}` })
let old: Serving
let own: Serving

before(async () => {
  old = await serve(databaseOf('old.db'), '--demo')
  own = await serve(databaseOf('own.db'))
  const tokens = ['acme-pms', 'vesta-tv'].map(
    (id) => new RegExp(`^ {2}${id} .* (atr_\\w+)$`, 'm').exec(old.printed())?.[1],
  )
  writeFileSync(join(folder, 'tokens.txt'), `${tokens.join('\n')}\n`)
})
after(async () => {
  await old?.stop()
  await own?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('every command of the guide works, and afterwards both installations respond alike', async () => {
  const examples = examplesOf(guideText('take-over')).map(({ language, code }) => ({
    language,
    code: code.replaceAll('https://old.example', `${old.url}/v1`).replaceAll('https://new.example', own.url),
  }))
  const outputs = await paste(examples, folder, databaseOf('own.db'))
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
  const [estate, tokens] = ['estate.yaml', 'tokens.txt'].map((name) => readFileSync(join(folder, name), 'utf8'))
  assert.match(
    estate ?? '',
    /^# - hidden from every token: the field subscribed of facilities \(2, lyon-01, annecy-01\)$/m,
  )
  for (const token of (tokens ?? '').trim().split('\n')) assert.ok(!(printed + estate).includes(token))
})
