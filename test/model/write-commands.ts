import fc from 'fast-check'
import { type Command, command, facilityId, fault, ifMatch, partner } from './command.ts'
import { facilityResource, ifMatchOf, listResource } from './conditions.ts'
import { facilityIds, shortIds } from './estate.ts'
import { outcome } from './model.ts'
import { exchange } from './real.ts'
import { type Body, type Property, properties } from './values.ts'
import { patchList, patchProperty } from './writes.ts'

/** A valid body, one without `value`, or one that is not JSON. */
export function bodyText({ value, fault }: Body<unknown>): string {
  if (fault === 'no JSON') return '{"value": '
  return JSON.stringify(fault === 'no value' ? { val: value } : { value, beside: 'ignored' })
}

const propertyCommands = (Object.keys(properties) as Property[]).map((property) =>
  command(
    `patch ${property}`,
    fc.record({ partner, id: facilityId, ifMatch, fault, value: fc.nat({ max: properties[property].length - 1 }) }),
    async ({ partner, id, ifMatch, fault, value }, model, real) => {
      const resource = facilityResource(id)
      const { said, headers } = await ifMatchOf(model, real, partner, resource, ifMatch)
      const expected = outcome(() => patchProperty(model, partner, id, property, said, { value, fault }))
      const body = bodyText({ value: properties[property][value]?.sent, fault })
      const asking = { partner, request: `PATCH ${resource.path}${property}`, headers, body, resource: resource.name }
      await exchange(real, asking, expected)
    },
  ),
)

/** Short ids, some of them full ids of rooms of this facility, and names, one of them too short. */
const entry = fc.record({
  id: fc.constantFrom(...shortIds, ...facilityIds.map((facility) => `${facility}-1`), 'zz'),
  name: fc.constantFrom('Room', 'Chambre é', 'Room', 'Suite', ''),
})
const entries = fc.oneof(
  { weight: 12, arbitrary: fc.uniqueArray(entry, { maxLength: 4, selector: ({ id }) => id }) },
  { weight: 1, arbitrary: fc.array(entry, { minLength: 2, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(null) },
)

const listCommand = command(
  'patch list',
  fc.record({ partner, id: facilityId, ifMatch, fault, value: entries }),
  async ({ partner, id, ifMatch, fault, value }, model, real) => {
    const resource = listResource(id)
    const { said, headers } = await ifMatchOf(model, real, partner, resource, ifMatch)
    const expected = outcome(() => patchList(model, partner, id, said, { value, fault }))
    const sent = value?.map(({ id, name }) => ({ id_external: id, name, dropped: true })) ?? 'no array'
    const asking = { partner, request: `PATCH ${resource.path}`, headers, resource: resource.name }
    await exchange(real, { ...asking, body: bodyText({ value: sent, fault }) }, expected)
  },
)

export const writeCommands: fc.Arbitrary<Command>[] = [...propertyCommands, listCommand]
