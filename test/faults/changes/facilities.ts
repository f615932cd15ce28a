import type { Random } from '../../torture/random.ts'
import type { Case } from './judge.ts'
import * as made from './made.ts'
import { type Way, ways } from './ways.ts'
import type { World } from './world.ts'

type Prepare = Case['prepare']

const update = (name: string, prepare: Prepare): Case => ({ name, action: 'facility.update', undone: true, prepare })

/** Changes of facilities through the CMS, and through estate files where these can express them. */
export const facilityCases: Case[] = [
  ...ways.map(({ name, apply }) => ({
    name: `a facility is created ${name}`,
    action: 'facility.create' as const,
    undone: true,
    prepare: async (world: World, random: Random) => () => {
      const whole = { id_external: made.newId(), name: made.newName(random), ...made.fields(random), devices: [] }
      const areas = [{ id: '1', name: made.newName(random), data_general: made.dataGeneral(random) }]
      return apply(world, { facilities: [{ ...whole, areas, areas_autocomplete_list: made.list(random) }] })
    },
  })),
  ...ways.map(({ name, apply }) => update(`a facility is changed ${name}`, changed(apply))),
  update('a facility is changed by an operator', async (world, random) => {
    const id = await made.newFacility(world, random)
    return () => world.done(`PATCH /cms/v1/facilities/${id}`, made.fields(random))
  }),
  update('a device is added', async (world, random) => {
    const id = await made.newFacility(world, random)
    return () => world.done(`PUT /cms/v1/facilities/${id}/devices/new`, { type: 'tv', serial: made.newName(random) })
  }),
  update('a device is removed', async (world, random) => {
    const id = await made.newFacility(world, random)
    return () => world.done(`DELETE /cms/v1/facilities/${id}/devices/d-0`)
  }),
  update('rooms are added', async (world, random) => {
    const id = await made.newFacility(world, random)
    return () =>
      world.done(`POST /cms/v1/facilities/${id}/areas`, { range: `101-${101 + random.below(50)}`, name: 'Room {id}' })
  }),
  update('rooms are changed', async (world, random) => {
    const id = await made.newFacility(world, random)
    const areas = [
      { id: '1', name: made.newName(random), data_general: made.dataGeneral(random) },
      { id: '2', data_general: made.dataGeneral(random) },
    ]
    return () => world.done(`PATCH /cms/v1/facilities/${id}/areas`, { areas: areas.slice(random.below(2)) })
  }),
  update('rooms are removed', async (world, random) => {
    const id = await made.newFacility(world, random)
    const ids = random.chance(0.5) ? ['1'] : ['1', '2']
    // One of the rooms has a device.
    await world.done(`PATCH /cms/v1/facilities/${id}`, { devices: [] })
    return () => world.done(`DELETE /cms/v1/facilities/${id}/areas`, { ids })
  }),
  update('rooms are imported', async (world, random) => {
    const id = await made.newFacility(world, random)
    const csv = `id,name\n1,Renamed ${random.below(1e9)}\n7,New ${random.below(1e9)}\n`
    return () => world.done(`POST /cms/v1/facilities/${id}/areas/import`, csv, { type: 'text/csv' })
  }),
  update('a list is replaced by an operator', async (world, random) => {
    const from = made.entries(random, 4)
    const id = await made.newFacility(world, random, { areas_autocomplete_list: from })
    return () => world.done(`PUT /cms/v1/facilities/${id}/list`, { entries: made.list(random, from) })
  }),
  {
    name: 'a list is replaced by a partner',
    action: 'autocomplete_list.replace',
    undone: true,
    prepare: async (world, random) => {
      const { facility, token } = await made.partnerWithToken(world, random)
      const from = made.entries(random, 4)
      const path = `/v1/facilities/${facility}/areas_autocomplete_list`
      const value = (list: typeof from) => list.map(({ id, name }) => ({ id_external: id, name }))
      await world.done(`PATCH ${path}`, { value: value(from) }, { as: token })
      return () => world.done(`PATCH ${path}`, { value: value(made.list(random, from)) }, { as: token })
    },
  },
  ...(['name', 'ssid_public', 'subscription_url'] as const).map(
    (property): Case => ({
      name: `${property} is changed by a partner`,
      action: 'facility.change',
      undone: true,
      prepare: async (world, random) => {
        const { facility, token } = await made.partnerWithToken(world, random)
        const value = { name: made.newName(random), ssid_public: 'new', subscription_url: 'https://new.example/' }[
          property
        ]
        return () => world.done(`PATCH /v1/facilities/${facility}/${property}`, { value }, { as: token })
      },
    }),
  ),
  {
    name: 'a facility is removed',
    action: 'facility.remove',
    undone: true,
    prepare: async (world, random) => {
      const { facility } = await made.partnerWithToken(world, random)
      return () => world.done(`DELETE /cms/v1/facilities/${facility}`)
    },
  },
]

function changed(apply: Way['apply']): Prepare {
  return async (world, random) => {
    const id_external = await made.newFacility(world, random)
    const areas = [
      { id: '2', name: made.newName(random), data_general: made.dataGeneral(random) },
      { id: 'new', name: made.newName(random), data_general: made.dataGeneral(random) },
    ]
    const list = random.chance(0.5) ? { areas_autocomplete_list: made.list(random) } : {}
    return () => apply(world, { facilities: [{ id_external, ...made.fields(random), areas, ...list }] })
  }
}
