/** Values to send with the expected stored values, written by hand so that the model shares no code with Atrium. */

export interface Body<T> {
  value: T
  fault?: 'no JSON' | 'no value' | undefined
}

export type Property = 'name' | 'ssid_public' | 'subscription_url'

/** A value that is refused has no `stored`. */
export const properties: Record<Property, { sent: unknown; stored?: string }[]> = {
  name: [
    { sent: 'Facility 0', stored: 'Facility 0' },
    { sent: '  Grand Hôtel ', stored: 'Grand Hôtel' },
    { sent: '😀'.repeat(255), stored: '😀'.repeat(255) },
    { sent: '' },
    { sent: 'a\u0007b' },
    { sent: 7 },
  ],
  ssid_public: [
    { sent: 'Guest', stored: 'Guest' },
    { sent: ' 32 bytes, spaces and all.......', stored: ' 32 bytes, spaces and all.......' },
    { sent: 'é'.repeat(17) },
    { sent: null },
  ],
  subscription_url: [
    { sent: 'https://portal.example/a?b=c', stored: 'https://portal.example/a?b=c' },
    { sent: 'http://portal.example', stored: 'http://portal.example' },
    { sent: 'ftp://portal.example' },
    { sent: 'https://user:secret@portal.example' },
  ],
}

export interface Item {
  sent: unknown
  /** By the time zone of the facility. */
  kept?: Record<'UTC' | 'Europe/Paris', Record<string, unknown>>
}

const plain = { code: 'tv', label: null, status: 'active', start: null, end: null }

function always(fields: object): NonNullable<Item['kept']> {
  return { UTC: { ...plain, ...fields }, 'Europe/Paris': { ...plain, ...fields } }
}

export const items: Item[] = [
  { sent: { code: 'tv' }, kept: always({}) },
  {
    sent: { code: 'net', label: 'Wi-Fi', status: 'paused', id: 'mine', price: 4.5, tags: [{ a: null }] },
    kept: always({ code: 'net', label: 'Wi-Fi', status: 'paused', price: 4.5, tags: [{ a: null }] }),
  },
  {
    sent: { code: 'tv', start: '2026-11-15T08:30:00+01:00', end: 1_795_000_000 },
    kept: always({ start: '2026-11-15T07:30:00.000Z', end: '2026-11-18T11:06:40.000Z' }),
  },
  {
    sent: { code: 'tv', start: '2026-11-15 08:30:00', end: '2026-11-15' },
    kept: {
      UTC: { ...plain, start: '2026-11-15T08:30:00.000Z', end: '2026-11-16T00:00:00.000Z' },
      'Europe/Paris': { ...plain, start: '2026-11-15T07:30:00.000Z', end: '2026-11-15T23:00:00.000Z' },
    },
  },
  { sent: {} },
  { sent: { code: 'tv', end: 'soon' } },
  {
    sent: { code: 'odd', '7': 'x', '0': { '1': 1 }, end: '2026-11-14T00:00:00Z' },
    kept: always({ code: 'odd', '7': 'x', '0': { '1': 1 }, end: '2026-11-14T00:00:00.000Z' }),
  },
  {
    sent: { code: '4294967294', '4294967294': null, 'id ': 'x', constructor: 'y', toString: {}, '': [''] },
    kept: always({ code: '4294967294', '4294967294': null, 'id ': 'x', constructor: 'y', toString: {}, '': [''] }),
  },
]

export interface Patch {
  sent: unknown
  /** The same with times as they are stored, by the time zone of the facility. A patch that is refused has none. */
  kept?: Record<'UTC' | 'Europe/Paris', object>
}

function patchOf(sent: object): Patch {
  return { sent, kept: { UTC: sent, 'Europe/Paris': sent } }
}

/** Merge patches of a subscription. */
export const patches: Patch[] = [
  patchOf({}),
  patchOf({ label: 'TV 2', status: 'paused' }),
  patchOf({ label: null, status: null, start: null, end: null }),
  patchOf({ price: 5, tags: null, constructor: 'z' }),
  patchOf({ '0': { '1': null, b: [null] }, tags: [], label: null }),
  {
    sent: { start: '2026-11-15T08:30:00+01:00' },
    kept: { UTC: { start: '2026-11-15T07:30:00.000Z' }, 'Europe/Paris': { start: '2026-11-15T07:30:00.000Z' } },
  },
  {
    sent: { end: '2026-11-20' },
    kept: { UTC: { end: '2026-11-21T00:00:00.000Z' }, 'Europe/Paris': { end: '2026-11-20T23:00:00.000Z' } },
  },
  { sent: { end: 'soon' } },
  { sent: { label: 7 } },
  { sent: { code: 'other' } },
  { sent: { id: 'mine' } },
]

/** Values of the parameter `at`, between the times above. */
export const moments = ['2026-11-13T00:00:00Z', '2026-11-14T00:00:00Z', '2026-11-15T08:00:00Z', '2030-01-01T00:00:00Z']
