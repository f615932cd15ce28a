import type { Atrium } from '../../client/src/index.ts'

/** A typical first program of a partner. Its source is run on other Node versions and in a browser. */
export async function afternoon(Client: typeof Atrium, baseUrl: string, token: string) {
  const atrium = new Client({ baseUrl, token })
  const seen: string[] = []
  for await (const facility of atrium.facilities.list({ limit: 1 })) seen.push(facility.id_external)
  const { area } = await atrium.rooms.open('chu-nord-214')
  const added = await atrium.services.add('chu-nord-214', [{ code: 'tv', label: 'Télé' }])
  const refused = await atrium.facilities.rename('lyon-01', 'x').catch((problem) => [problem.name, problem.code])
  const left = await atrium.services.delete('chu-nord-214', added.at(-1)?.id ?? '')
  await atrium.rooms.close('chu-nord-214', { cycle: area.cycle })
  return { seen, added: added.map(({ label }) => label), refused, left }
}

export const expected = { seen: ['chu-nord'], added: ['Télé'], refused: ['Problem', 'facility_not_granted'], left: [] }
