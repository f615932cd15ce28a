import { estate } from '../harness/estate.ts'

const cities = ['Lyon', 'Pau', 'Rennes', 'Nice', 'Grenoble', 'Paris']

/** `lyon-10` to `paris-59`: 300 facilities in addition to those of all tests. */
export const manyFacilities = Array.from({ length: 300 }, (_, at) => {
  const city = cities[at % cities.length] ?? ''
  return {
    id_external: `${city.toLowerCase()}-${10 + Math.floor(at / cities.length)}`,
    name: `Clinique des Alpes ${city} ${10 + Math.floor(at / cities.length)}`,
    type: 'hospital',
    room_services: true,
    address: { street: null, postal_code: null, city, region: null, country: 'FR' },
    areas: [{ id: '101', name: 'Chambre 101' }],
  }
})

const manyIds = manyFacilities.map(({ id_external: id }) => id)

/** A partner with usual permissions on 53 facilities. */
const helios = {
  id: 'helios',
  name: 'Helios Hospitality',
  webhooks: true,
  grants: [{ facilities: manyIds.slice(0, 53), read: ['address', 'areas'], write: ['name'], rooms: '*' }],
}

export const manyEstate = {
  facilities: [...estate.facilities, ...manyFacilities],
  partners: [...estate.partners, helios],
}
