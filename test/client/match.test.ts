import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchServices, type Subscription, type WantedSubscription } from '../../client/src/index.ts'
import { onEachEngine } from '../harness/atrium.ts'

const tv = { id: '1', code: 'tv', label: null, status: 'active', start: null, end: '2099-11-22T23:00:00.000Z' }
const net = {
  id: '2',
  code: 'net',
  label: 'Fast',
  status: 'active',
  start: null,
  end: null,
  plan: { mbit: 100, ports: [80] },
}
const late = { ...tv, id: '3', end: '2099-11-30T23:00:00.000Z' }

interface Case {
  wanted: WantedSubscription[]
  present: Subscription[]
  /** Ids of what is sent, in its order; undefined for what is new. */
  ids: (string | undefined)[]
  isChange: boolean
  keep?: (service: Subscription) => boolean
}

const { label: _, status: __, start: ___, ...short } = tv
const cases: Record<string, Case> = {
  'nothing in an empty room': { wanted: [], present: [], ids: [], isChange: false },
  'what was read': { wanted: [net, tv], present: [tv, net], ids: ['2', '1'], isChange: false },
  'fields left out are their defaults': { wanted: [short], present: [tv], ids: ['1'], isChange: false },
  'the default status may be null': { wanted: [{ ...tv, status: null }], present: [tv], ids: ['1'], isChange: false },
  'the same time in another zone': {
    wanted: [{ code: 'tv', end: '2099-11-23T00:00:00+01:00' }],
    present: [tv],
    ids: ['1'],
    isChange: false,
  },
  'a date, which only the service understands': {
    wanted: [{ code: 'tv', end: '2099-11-22' }],
    present: [tv],
    ids: ['1'],
    isChange: true,
  },
  'keys in another order': {
    wanted: [{ code: 'net', plan: { ports: [80], mbit: 100 }, label: 'Fast' }],
    present: [net],
    ids: ['2'],
    isChange: false,
  },
  'a value within a field': {
    wanted: [{ ...net, plan: { mbit: 100, ports: [443] } }],
    present: [net],
    ids: ['2'],
    isChange: true,
  },
  'an object where a list was': {
    wanted: [{ ...net, plan: { mbit: 100, ports: { 0: 80 } } }],
    present: [net],
    ids: ['2'],
    isChange: true,
  },
  'a field that is gone': { wanted: [{ code: 'net', label: 'Fast' }], present: [net], ids: ['2'], isChange: true },
  'a service more': { wanted: [short, { code: 'sun' }], present: [tv], ids: ['1', undefined], isChange: true },
  'a service less': { wanted: [short], present: [tv, net], ids: ['1'], isChange: true },
  'two with one code: equal ones first': {
    wanted: [
      { code: 'tv', end: null },
      { code: 'tv', end: late.end },
    ],
    present: [tv, late],
    ids: ['1', '3'],
    isChange: true,
  },
  'the one that is left stays': {
    wanted: [{ code: 'tv', end: late.end }],
    present: [tv, late],
    ids: ['3'],
    isChange: true,
  },
  'an id that is named is not given twice': {
    wanted: [
      { code: 'tv', end: tv.end },
      { ...tv, label: 'TV' },
    ],
    present: [tv],
    ids: [undefined, '1'],
    isChange: true,
  },
  'an id that the room has not': { wanted: [{ id: '9', code: 'tv' }], present: [tv], ids: ['9'], isChange: true },
  'kept services are not matched': {
    wanted: [{ code: 'tv', end: tv.end }],
    present: [tv, net],
    ids: [undefined, '1'],
    isChange: true,
    keep: ({ code }) => code === 'tv',
  },
  'kept services are no difference': {
    wanted: [short],
    present: [net, tv],
    ids: ['1', '2'],
    isChange: false,
    keep: ({ code }) => code === 'net',
  },
}

for (const [name, { wanted, present, ids, isChange, keep }] of Object.entries(cases)) {
  test(`services are matched: ${name}`, () => {
    const match = matchServices(wanted, present, keep && { keep })
    assert.deepEqual(
      match.services.map(({ id }) => id),
      ids,
    )
    assert.equal(match.isChange, isChange)
  })
}

const room = 'chu-nord-214'

onEachEngine('the service, about the same lists as the matcher', {}, (atrium) => {
  const send = (method: string, path: string, body?: object) =>
    atrium().ask(`${method} /v1/areas/${room}/${path}`, { as: 'ward', body })

  for (const [name, { wanted, present, isChange, keep }] of Object.entries(cases)) {
    test(`${name}: sees no difference where the matcher sees none`, async () => {
      await send('POST', '')
      const value = JSON.stringify(present)
      const { data_services: stored } = (await send('POST', 'data_services', { value })).body.services
      const idOf = new Map(present.map(({ id }, index) => [id, stored[index].id]))
      const named = wanted.map((service) =>
        service.id ? { ...service, id: idOf.get(service.id) ?? crypto.randomUUID() } : service,
      )
      const match = matchServices(named, stored, keep && { keep })
      assert.equal(match.isChange, isChange)
      const before = (await send('GET', '')).text
      const { status } = await send('PUT', 'data_services', { data_services: match.services })
      const isSame = (await send('GET', '')).text === before
      assert.equal(status, wanted.some(({ id }) => id === '9') ? 404 : 200)
      if (!isChange) assert.ok(isSame)
    })
  }
})
