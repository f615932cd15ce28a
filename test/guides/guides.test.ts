import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { keptCollections } from '../../tools/collections.ts'
import { type Serving, serve } from '../harness/command.ts'
import { collectedRequests } from './collected.ts'
import { assertAnswer, examplesOf, guidesFor, guideText } from './example.ts'
import { paste, runLine } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-guides-'))
const demo = { ATRIUM_DATABASE: `sqlite:${join(folder, 'demo.db')}` }
let atrium: Serving

before(async () => {
  atrium = await serve(demo, '--demo')
})
after(async () => {
  await atrium?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const demoToken = () => /^ {2}vesta-tv .* (atr_\w+)$/m.exec(atrium.printed())?.[1] ?? ''

const testToken = () => /^ {2}sandbox .* (atr_test_\w+)$/m.exec(atrium.printed())?.[1] ?? ''

describe('what the guides for partners show works when it is pasted', () => {
  for (const name of guidesFor('partners')) {
    const shown = examplesOf(guideText(name))
    // Webhooks need a receiver, and have a test of their own.
    if (shown.length === 0 || name === 'webhooks') continue
    test(name, async () => {
      const token = name === 'sandbox' ? testToken() : demoToken()
      const examples = shown.map((example) => ({
        ...example,
        code: example.code
          .replace('http://127.0.0.1:8080', atrium.url)
          .replace(/TOKEN=atr_(test_)?…/, `TOKEN=${token}`),
      }))
      const outputs = await paste(examples, folder, { ATRIUM: atrium.url, TOKEN: token })
      for (const [at, example] of examples.entries()) assertAnswer(example, outputs[at] ?? '')
    })
  }
})

describe('what the guides for operators show works when it is pasted', () => {
  const settings = { ATRIUM_DATABASE: `sqlite:${join(folder, 'own.db')}` }
  /** Placeholders of the guide, with the real values that earlier commands printed. */
  const real = new Map(
    ['estate.yaml', 'atrium-2027-01-31.gz', './elsewhere.db', 'audit.jsonl.gz'].map((name) => [
      name,
      join(folder, name),
    ]),
  )
  const learned: [name: string, form: RegExp][] = [
    ['a1B2c3D4', /atr_(\w{8})_/],
    ['HASH', /\b([0-9a-f]{64})\b/],
  ]

  test('the estate file', () => {
    const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(guideText('estate')) ?? []
    writeFileSync(join(folder, 'estate.yaml'), yaml)
    assert.match(yaml, /^facilities:/)
  })

  for (const name of guidesFor('operators')) {
    // A take-over needs a second installation, and has a test of its own.
    if (name === 'take-over') continue
    for (const line of examplesOf(guideText(name)).flatMap(({ code }) => code.trim().split('\n'))) {
      test(`${name}: ${line}`, async () => {
        const filled = [...real].reduce((text, [word, value]) => text.replace(word, value), line)
        const { code, stdout, stderr } = await runLine(filled, settings)
        assert.equal(code, 0, stderr)
        for (const [word, form] of learned) {
          const found = real.has(word) ? undefined : form.exec(stdout)?.[1]
          if (found !== undefined) real.set(word, found)
        }
      })
    }
  }
})

describe('every read of the collections succeeds', () => {
  const sent = { base_url: () => atrium.url }
  for (const { method, url, variables } of collectedRequests()) {
    // The demo has no webhook yet, and a sandbox needs a token of its own.
    if (method !== 'GET' || /\/v1\/(webhooks\/|sandbox)/.test(url)) continue
    test(url, async () => {
      const filled = url.replace(
        /\{\{(\w+)\}\}/g,
        (_whole, name) => sent[name as 'base_url']?.() ?? variables[name] ?? '',
      )
      const answer = await fetch(filled, { headers: { authorization: `Bearer ${demoToken()}` } })
      assert.equal(answer.status, 200, await answer.text())
    })
  }

  test('and a run in their order deletes the service that it added, and then closes the room', () => {
    const { item } = JSON.parse(keptCollections().get('atrium.postman_collection.json') ?? '')
    const { item: requests } = item.find(({ name }: { name: string }) => name === 'Room services')
    const names = requests.map(({ name }: { name: string }) => name.split(' ')[0])
    assert.deepEqual(names, ['Open', 'Get', 'Add', 'Replace', 'Change', 'Delete', 'Move', 'Change', 'Close'])
    assert.match(JSON.stringify(requests[2].event), /set\('service', pm\.response\.json\(\)\.services\.data_services/)
    assert.match(
      keptCollections().get('bruno/Room services/Add subscriptions to a room.bru') ?? '',
      /setVar\('service', /,
    )
  })

  test('and there is one for each route of /v1, in both', () => {
    const routes = partnerEndpoints.map(({ method }) => method).sort()
    const byKind = Map.groupBy(collectedRequests(), ({ kind }) => kind)
    assert.deepEqual([...byKind.keys()].sort(), ['bruno', 'postman'])
    for (const [kind, all] of byKind) assert.deepEqual(all.map(({ method }) => method).sort(), routes, kind)
  })
})

describe('the pages', () => {
  const names = ['partners', 'operators', 'contributors'].flatMap(guidesFor)
  const pages = ['', ...names.map((name) => `/${name}`)].map((path) => `/docs/guides${path}`)
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(atrium.url + path, { headers })
    return { answer, text: await answer.text() }
  }

  test('every guide has one, which is not sent twice', async () => {
    for (const path of pages) {
      const { answer, text } = await get(path)
      assert.equal(answer.status, 200, path)
      assert.match(text, /<h1 id=/, path)
      const again = await get(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
      assert.equal(again.answer.status, 304, path)
      assert.doesNotMatch(answer.headers.get('content-security-policy') ?? '', /unsafe|https?:|\*/, path)
    }
  })

  test('every link on them leads to a place that is there', async () => {
    const texts = new Map<string, string>()
    for (const path of pages) texts.set(path, (await get(path)).text)
    for (const [page, text] of texts) {
      for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g)) {
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? text : (texts.get(path) ?? '')
        const isElsewhere = /^(https?:|\/(assets|problems|downloads|docs$))/.test(path)
        assert.ok(isElsewhere || target !== '', `${page} leads to ${href}`)
        if (anchor !== undefined) assert.ok(target.includes(`id="${anchor}"`), `${page} leads to ${href}`)
      }
    }
  })

  test('there is no other', async () => {
    for (const name of ['README', 'none', '..%2Fcms', '__proto__']) {
      assert.equal((await get(`/docs/guides/${name}`)).answer.status, 404, name)
    }
  })

  test('the search knows the text of all of them', async () => {
    const { text } = await get('/assets/guides.json')
    const index: { path: string }[] = JSON.parse(text)
    assert.deepEqual(new Set(index.map(({ path }) => path.split('#')[0])), new Set(pages.slice(1)))
  })
})
