import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValidateFunction } from 'ajv'
import { type EventType, eventTypes } from '../../src/domain/room/event.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { eventSchemaName } from '../../src/http/partner/event-schemas.ts'
import { type Answered, onEachEngine, type TestAtrium } from '../harness/atrium.ts'
import { type Node, validatorOf } from '../harness/openapi.ts'
import { receiverOfSuite, webhookSettings } from '../harness/some-webhook.ts'
import { causeEveryEvent } from './every-event.ts'
import { allAfter, type Event, starts } from './reading.ts'

const openapi: Node = closed(JSON.parse(JSON.stringify(openApiDocument())))
const ajv = validatorOf(openapi)
const validators = new Map<string, ValidateFunction>()

/** Returns a schema in which an object has no members but the documented ones, so that none is forgotten. */
function closed(node: Node): Node {
  if (node === null || typeof node !== 'object') return node
  if (Array.isArray(node)) return node.map(closed)
  const inside = Object.fromEntries(Object.entries(node).map(([key, child]) => [key, closed(child)]))
  const isObject = node.type === 'object' && node.properties !== undefined && node.additionalProperties === undefined
  return isObject ? { ...inside, additionalProperties: false } : inside
}

function fits(body: unknown, pointer: string): boolean {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi.json#/${pointer}` })
  validators.set(pointer, validate)
  return validate(body)
}

function assertFits(body: unknown, pointer: string): void {
  const isFit = fits(body, pointer)
  assert.ok(isFit, JSON.stringify([body, validators.get(pointer)?.errors], null, 1))
}

const schemaOf = (type: EventType) => `components/schemas/${eventSchemaName(type)}`
const bodyOf = (type: string) => `webhooks/${type}/post/requestBody/content/application~1json/schema`

onEachEngine('events of every type', { settings: webhookSettings }, (atrium) => {
  const receiver = receiverOfSuite()
  let caused: Promise<Event[]> | undefined
  const events = () => {
    caused ??= causedIn(atrium(), receiver().url)
    return caused
  }

  test('are those that a partner can subscribe to', async () => {
    const types = new Set((await events()).map(({ type }) => type))
    assert.deepEqual([...types].sort(), [...eventTypes].sort())
  })

  test('match the schema of their type in the feed, and no other', async () => {
    for (const event of await events()) {
      assertFits(event, 'components/schemas/Event')
      const fitting = eventTypes.filter((type) => fits(event, schemaOf(type)))
      assert.deepEqual(fitting, [event.type])
    }
  })

  test('match the schema of their webhook', async () => {
    const ids = (await events()).map(({ id }) => id)
    const received = await receiver().until('/every', (all) =>
      ids.every((id) => all.some(({ body }) => body.id === id)),
    )
    for (const { body } of received) assertFits(body, bodyOf(body.type))
    const ping = receiver().received.find(({ body }) => body.type === 'webhook.ping')
    assertFits(ping?.body, bodyOf('webhook.ping'))
    assert.equal(fits(ping?.body, 'components/schemas/Event'), false)
  })

  test('do not match when a member is missing, has another type or is not documented', async () => {
    for (const event of await events()) {
      const members = Object.keys(event)
      const spoilt = [
        ...members.map((name) => ({ ...event, [name]: undefined })),
        ...members.map((name) => ({ ...event, [name]: 7 })),
        { ...event, other: 1 },
        { ...event, data: { ...event.data, other: 1 } },
      ].map((one) => JSON.parse(JSON.stringify(one)))
      for (const one of spoilt) assert.equal(fits(one, 'components/schemas/Event'), false, JSON.stringify(one))
    }
  })
})

async function causedIn(atrium: TestAtrium, receiver: string): Promise<Event[]> {
  const after = (await starts(atrium, ['everything'])).get('everything') ?? ''
  const webhook = { url: `${receiver}/every`, types: '*', own: true }
  const made: Answered = await atrium.ask('POST /v1/webhooks', { as: 'everything', body: webhook })
  assert.equal(made.status, 200, made.text)
  await causeEveryEvent(atrium)
  return allAfter(atrium, 'everything', after)
}
