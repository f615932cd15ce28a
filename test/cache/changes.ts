import { estate as standard } from '../harness/estate.ts'
import { seed } from '../harness/seed.ts'
import type { Nodes } from './nodes.ts'
import { estate, type Shown } from './views.ts'

const [lyon, chu, nice] = standard.facilities as [object, object, object]

export interface Change {
  what: string
  prepare?(nodes: Nodes): Promise<unknown>
  /** `n` is different in each call. */
  make(nodes: Nodes, n: number): Promise<unknown>
  shows: Shown[]
}

const ward = { as: 'ward' }
const room = '/v1/areas/chu-nord-214/'
const open = ({ a }: Nodes) => a.ask(`POST ${room}`, ward)
const add = ({ a }: Nodes) => a.ask(`POST ${room}data_services`, { ...ward, body: { value: '[{"code":"tv"}]' } })
const patch = (property: string, value: (n: number) => unknown) => (nodes: Nodes, n: number) =>
  nodes.a.ask(`PATCH /v1/facilities/lyon-01/${property}`, { as: 'everything', body: { value: value(n) } })

/** Changes that partners make through the other node. */
const byPartners: Change[] = [
  {
    what: 'a name',
    make: patch('name', (n) => `Name ${n}`),
    shows: ['everything facilities', 'everything lyon', 'hotelier lyon', 'bare facilities'],
  },
  { what: 'an SSID', make: patch('ssid_public', (n) => `SSID ${n}`), shows: ['everything lyon', 'hotelier lyon'] },
  {
    what: 'a portal',
    make: patch('subscription_url', (n) => `https://portal.example/${n}`),
    shows: ['everything lyon'],
  },
  {
    what: 'a list',
    make: patch('areas_autocomplete_list', (n) =>
      Array.from({ length: n + 3 }, (_, id) => ({ id_external: `${id}`, name: `Entry ${n}` })),
    ),
    shows: ['everything lyonList', 'everything lyon'],
  },
  { what: 'a room is opened', make: open, shows: ['ward chuAreas', 'everything chuAreas', 'ward room'] },
  {
    what: 'a room is closed',
    prepare: open,
    make: ({ a }) => a.ask(`DELETE ${room}`, ward),
    shows: ['ward chuAreas', 'everything room'],
  },
  { what: 'a service is added', make: add, shows: ['ward chuAreas', 'ward room', 'everything services'] },
  {
    what: 'a service is deleted',
    prepare: add,
    make: async (nodes) => {
      const [first] = (await nodes.a.ask(`GET ${room}`, ward)).body.data_services
      return nodes.a.ask(`DELETE ${room}data_services/${first.id}`, ward)
    },
    shows: ['ward chuAreas', 'ward room', 'everything services'],
  },
]

const apply =
  (part: (n: number) => object, prune = false) =>
  ({ operator }: Nodes, n: number) =>
    seed(operator, part(n), { prune })
const facility = (change: (n: number) => object) =>
  apply((n) => ({ facilities: [{ id_external: 'lyon-01', ...change(n) }] }))
const partner = (id: string, change: (n: number) => object) => apply((n) => ({ partners: [{ id, ...change(n) }] }))
const others = estate.facilities.slice(1)
const remove = apply(() => ({ facilities: others }), true)
const makeAgain = apply(() => ({ facilities: [lyon] }))

/** Changes that operators make on the command line. */
const byOperator: Change[] = [
  {
    what: 'apply: name and status',
    make: facility((n) => ({ name: `Name ${n}`, status: 'suspended' })),
    shows: ['everything facilities', 'everything lyon', 'hotelier facilities', 'bare lyon'],
  },
  {
    what: 'apply: devices',
    make: facility((n) => ({ devices: [{ id: `${n}`, type: 'tv' }] })),
    shows: ['everything lyon'],
  },
  {
    what: 'apply: a new area',
    make: facility((n) => ({ areas: [{ id: `new-${n}`, name: 'New' }] })),
    shows: ['everything lyonAreas', 'everything lyon', 'hotelier lyonAreas'],
  },
  {
    what: 'apply: an area has another name',
    make: apply((n) => ({ facilities: [{ id_external: 'chu-nord', areas: [{ id: '214', name: `Room ${n}` }] }] })),
    shows: ['ward chuAreas', 'ward room'],
  },
  {
    what: 'apply: an area has other general data',
    prepare: add,
    make: apply((n) => ({ facilities: [{ id_external: 'chu-nord', areas: [{ id: '214', data_general: [{ n }] }] }] })),
    shows: ['ward chuAreas', 'ward room'],
  },
  {
    what: 'apply --prune: an area goes',
    make: apply(() => ({ facilities: [lyon, { ...chu, areas: [] }, nice, ...others.slice(2)] }), true),
    shows: ['ward room', 'ward chuAreas', 'everything chu', 'everything services', 'ward addNothing'],
  },
  {
    what: 'apply: a list',
    make: facility((n) => ({ areas_autocomplete_list: [{ id: `${n}`, name: 'Only' }] })),
    shows: ['everything lyonList', 'everything lyon'],
  },
  {
    what: 'apply: no services in rooms any more',
    make: apply(() => ({ facilities: [{ id_external: 'chu-nord', room_services: false }] })),
    shows: ['ward addNothing'],
  },
  {
    what: 'apply: a new facility',
    make: apply((n) => ({ facilities: [{ id_external: `new-${n}`, name: 'New' }] })),
    shows: ['everything facilities'],
  },
  {
    what: 'apply: fewer rights',
    make: partner('hotelier', () => ({ grants: [{ facilities: ['lyon-01'], read: ['ssid_public'] }] })),
    shows: ['hotelier lyon', 'hotelier lyonAreas', 'hotelier niceAreas', 'hotelier facilities', 'hotelier me'],
  },
  {
    what: 'apply: no rights',
    make: partner('hotelier', () => ({ grants: [] })),
    shows: ['hotelier facilities', 'hotelier lyon'],
  },
  {
    what: 'apply: more rights',
    make: partner('bare', () => ({ grants: [{ facilities: ['lyon-01'], read: '*' }] })),
    shows: ['bare lyonAreas', 'bare lyon', 'bare facilities'],
  },
  {
    what: 'apply: rights everywhere',
    make: partner('stranger', () => ({ grants: [{ facilities: '*', read: '*' }] })),
    shows: ['stranger facilities', 'stranger lyon'],
  },
  { what: 'apply: a partner’s name', make: partner('hotelier', (n) => ({ name: `PMS ${n}` })), shows: ['hotelier me'] },
  {
    what: 'apply: a partner’s rate limit',
    make: partner('hotelier', (n) => ({ rate_limit: `${n + 1000}/s` })),
    shows: ['hotelier me'],
  },
  {
    what: 'apply --prune: a facility goes',
    make: remove,
    shows: [
      'hotelier facilities',
      'hotelier lyon',
      'hotelier lyonAreas',
      'everything facilities',
      'everything lyon',
      'everything lyonAreas',
      'everything lyonList',
      'bare lyon',
      'hotelier me',
    ],
  },
  {
    what: 'a facility is removed and created again, without grants, between two requests',
    make: async (nodes, n) => {
      await remove(nodes, n)
      await makeAgain(nodes, n)
    },
    shows: [
      'hotelier facilities',
      'hotelier lyon',
      'hotelier lyonAreas',
      'bare lyon',
      'everything lyon',
      'everything lyonAreas',
      'hotelier me',
    ],
  },
  {
    what: 'a facility that was gone is made again',
    prepare: (nodes) => remove(nodes, 0),
    make: makeAgain,
    shows: ['everything facilities', 'everything lyon', 'everything lyonAreas'],
  },
  {
    what: 'a full id moves to a facility that is hidden from some',
    make: apply(
      () => ({
        facilities: [
          ...standard.facilities,
          { id_external: 'a', areas: [] },
          { id_external: 'a-b', areas: [{ id: 'c', name: 'Moved' }] },
        ],
      }),
      true,
    ),
    shows: ['mover moving'],
  },
]

export const changes = [...byPartners, ...byOperator]

/** Restores the original estate. */
export const reset = ({ operator }: Nodes) => seed(operator, estate, { prune: true })
