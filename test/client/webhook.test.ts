import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { UnverifiedWebhook, verifyWebhook, type WebhookHeaders } from '../../client/src/index.ts'
import { newWebhookSecret } from '../../src/domain/webhook/webhook-signature.ts'
import { onEachEngineWithWebhooks } from '../webhooks/fixture.ts'

const secret = newWebhookSecret()
const other = newWebhookSecret()
const body = JSON.stringify({ id: 'x', type: 'area.opened', facility: 'lyon-01', data: { label: 'Télé' } })

type Signed = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** Signs with the reference implementation of Standard Webhooks. */
function signed(text: string, { by = secret, atSeconds = secondsAgo(0) } = {}): Signed {
  const id = 'msg_1'
  return {
    'webhook-id': id,
    'webhook-timestamp': `${atSeconds}`,
    'webhook-signature': new Webhook(by).sign(id, new Date(atSeconds * 1000), text),
  }
}

function secondsAgo(seconds: number): number {
  return Math.floor(Date.now() / 1000) - seconds
}

const asSigned = (good: Signed): WebhookHeaders => good

function withBothSignatures(good: Signed): Signed {
  const atSeconds = Number(good['webhook-timestamp'])
  const ofOther = signed(body, { by: other, atSeconds })['webhook-signature']
  return { ...good, 'webhook-signature': `v1a,AAAA v1, ${ofOther} v2,x` }
}

describe('a webhook message is accepted', () => {
  const scenarios: {
    when: string
    body?: string | Uint8Array | ArrayBuffer
    /** Made in the test, because a message is accepted for five minutes only. */
    headers?: (good: Signed) => WebhookHeaders
    by?: string[]
  }[] = [
    { when: 'it is signed with the secret' },
    { when: 'its body is there as bytes', body: Buffer.from(body) },
    { when: 'its body is there as a buffer', body: new TextEncoder().encode(body).buffer },
    { when: 'its headers are those of a request', headers: (good) => new Headers(good) },
    { when: 'its headers are capitals', headers: uppercase },
    {
      when: 'its headers are lists',
      headers: (good) => ({ ...good, 'webhook-signature': [good['webhook-signature']] }),
    },
    { when: 'it is signed with either of two secrets', by: [other, secret] },
    { when: 'one of its signatures is right', headers: withBothSignatures, by: [other] },
    { when: 'the secret is there without its beginning', by: [secret.replace('whsec_', '')] },
    { when: 'it is two minutes old', headers: () => signed(body, { atSeconds: secondsAgo(120) }) },
    { when: 'its clock is two minutes ahead', headers: () => signed(body, { atSeconds: secondsAgo(-120) }) },
  ]
  for (const { when, body: given = body, headers = asSigned, by = secret } of scenarios) {
    test(when, async () => {
      assert.deepEqual(await verifyWebhook(given, headers(signed(body)), by), JSON.parse(body))
    })
  }
})

describe('a webhook message is rejected', () => {
  const without = (name: string) => withOther(name, undefined)
  const withOther = (name: string, value: string | undefined) => (good: Signed) => {
    return { ...good, [`webhook-${name}`]: value }
  }
  const withSignature = (change: (signature: string) => string) => (good: Signed) => {
    return { ...good, 'webhook-signature': change(good['webhook-signature']) }
  }
  const at = (seconds: number) => () => signed(body, { atSeconds: secondsAgo(seconds) })
  const tampered = body.replace('lyon-01', 'lyon-02')
  const scenarios: {
    when: string
    headers?: (good: Signed) => WebhookHeaders
    body?: string
    by?: string
    reason: string
  }[] = [
    ...['id', 'timestamp', 'signature'].map((name) => ({
      ...{ when: `it has no ${name}`, headers: without(name), reason: 'header_missing' },
    })),
    { when: 'it has no headers at all', headers: () => new Headers(), reason: 'header_missing' },
    { when: 'its time is no number', headers: withOther('timestamp', '1e9'), reason: 'header_invalid' },
    { when: 'its id could be read as a time', headers: withOther('id', 'msg.1'), reason: 'header_invalid' },
    { when: 'its signature is none', headers: withOther('signature', 'AAAA'), reason: 'header_invalid' },
    { when: 'it is ten minutes old', headers: at(600), reason: 'too_old' },
    { when: 'its clock is ten minutes ahead', headers: at(-600), reason: 'too_new' },
    { when: 'its body was changed', body: tampered, reason: 'signature_wrong' },
    { when: 'its id was changed', headers: withOther('id', 'msg_2'), reason: 'signature_wrong' },
    {
      when: 'its time was changed',
      headers: (good) => ({ ...good, 'webhook-timestamp': `${Number(good['webhook-timestamp']) - 1}` }),
      reason: 'signature_wrong',
    },
    { when: 'another secret signed it', by: other, reason: 'signature_wrong' },
    {
      when: 'it is signed in another way',
      headers: withSignature((signature) => signature.replace('v1', 'v2')),
      reason: 'signature_wrong',
    },
    {
      when: 'its signature is too long',
      headers: withSignature((signature) => `${signature}A`),
      reason: 'signature_wrong',
    },
    {
      when: 'its signature breaks off',
      headers: withSignature((signature) => signature.slice(0, -1)),
      reason: 'signature_wrong',
    },
    { when: 'its signature is empty', headers: withOther('signature', 'v1,'), reason: 'signature_wrong' },
    { when: 'it says nothing', headers: () => signed(''), body: '', reason: 'body_invalid' },
    { when: 'it is no event', headers: () => signed('null'), body: 'null', reason: 'body_invalid' },
  ]
  for (const { when, headers = asSigned, body: given = body, by = secret, reason } of scenarios) {
    test(when, async () => {
      const refusal = await verifyWebhook(given, headers(signed(body)), by).catch((error: unknown) => error)
      assert.ok(refusal instanceof UnverifiedWebhook, `${refusal}`)
      assert.deepEqual([refusal.name, refusal.reason], ['UnverifiedWebhook', reason])
    })
  }
})

describe('wrong use throws an error that explains the right one', () => {
  const wrong: [when: string, body: unknown, by: string | string[], words: RegExp][] = [
    ['the body was parsed already', JSON.parse(body), secret, /before anything parses it/],
    ['there is no secret', body, '', /whsec_/],
    ['the secret is something else', body, 'atr_12345678', /whsec_/],
    ['there are no secrets', body, [], /At least one secret/],
  ]
  for (const [when, given, by, words] of wrong) {
    test(when, () =>
      assert.rejects(verifyWebhook(given as string, signed(body), by), { name: 'TypeError', message: words }),
    )
  }
})

onEachEngineWithWebhooks('what Atrium sends is believed', ({ receiver, ask, add, rename, until }) => {
  test('the ping, an event, and one during a rotation', async () => {
    const { webhook, secret: first } = await add('/client')
    const [ping] = receiver().received.filter(({ path }) => path === '/client')
    assert.equal((await verifyWebhook(ping?.text ?? '', ping?.headers ?? {}, first)).type, 'webhook.ping')
    await rename('Thérèse')
    const [event] = await until('/client', 'Thérèse')
    const message = await verifyWebhook(event?.text ?? '', event?.headers ?? {}, first)
    assert.ok(message.type === 'facility.updated')
    assert.deepEqual([message.facility, message.data.new], ['chu-nord', 'Thérèse'])
    const { secret: second } = (await ask(`POST /v1/webhooks/${webhook.id}/rotate`, {})).body
    await rename('Two')
    const rotated = (await until('/client', 'Thérèse', 'Two')).find(({ text }) => text.includes('Two'))
    for (const one of [first, second]) {
      assert.deepEqual(await verifyWebhook(rotated?.text ?? '', rotated?.headers ?? {}, one), rotated?.body)
    }
    await assert.rejects(verifyWebhook(event?.text ?? '', event?.headers ?? {}, second), { reason: 'signature_wrong' })
  })
})

function uppercase(good: Signed): Record<string, string> {
  return Object.fromEntries(Object.entries(good).map(([name, value]) => [name.toUpperCase(), value]))
}
