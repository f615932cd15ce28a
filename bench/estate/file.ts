import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { BenchEstate } from './shape.ts'

/** Writes the estate as a file for `atrium apply`, in chunks. */
export async function writeEstateFile(estate: BenchEstate, path: string): Promise<void> {
  const file = createWriteStream(path)
  for (const piece of pieces(estate)) if (!file.write(piece)) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
}

function* pieces(estate: BenchEstate): Generator<string> {
  yield '{"facilities":['
  for (let index = 0; index < estate.facilities; index++) yield separated(index, facilityOf(estate, index))
  yield '\n],"partners":['
  for (let index = 0; index < estate.partners; index++) yield separated(index, partnerOf(estate, index))
  yield '\n]}\n'
}

function separated(index: number, item: unknown): string {
  return `${index > 0 ? ',' : ''}\n${JSON.stringify(item)}`
}

function facilityOf(estate: BenchEstate, index: number) {
  const { idExternal, ssidPublic, subscriptionUrl, ...rest } = estate.facility(index)
  const areas = Array.from({ length: estate.areas }, (_, area) => estate.area(index, area))
  const [first] = areas
  return {
    id_external: idExternal,
    ...rest,
    ssid_public: ssidPublic,
    subscription_url: subscriptionUrl,
    room_services: true,
    devices: [{ id: 'tv-1', type: 'tv', model: 'X1', serial: String(index), status: 'online', area: first?.short }],
    areas: areas.map(({ short, name }) => ({ id: short, name })),
    areas_autocomplete_list: areas.map(({ short, name }) => ({ id: short, name })),
  }
}

function partnerOf(estate: BenchEstate, index: number) {
  const { id, name, facilities } = estate.partner(index)
  const ids = facilities.map((facility) => estate.facility(facility).idExternal)
  return { id, name, grants: [{ facilities: ids, read: '*', write: '*', rooms: '*' }] }
}
