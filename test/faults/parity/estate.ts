export const facilities = ['a', 'B', 'c-1', 'Z.9']

/** Ids that differ only in case, accents or width, and numbers that sort as numbers. */
export const shortIds = [
  '1',
  '2',
  '10',
  'a',
  'A',
  'b',
  'é',
  'e',
  'É',
  'z',
  'ﬀ',
  'ff',
  '-1',
  '_',
  '%',
  '🛏',
  '\uffee',
  "o'k",
]

export const estate = {
  facilities: facilities.map((id, at) => ({
    id: 10 + at,
    id_external: id,
    name: `Facility ${id}`,
    status: at === 1 ? 'suspended' : 'active',
    room_services: at !== 2,
    ssid_public: at === 0 ? null : `Wi-Fi ${id}`,
    timezone: 'Europe/Paris',
    address: { street: null, postal_code: '1', city: 'é', region: null, country: 'FR' },
    areas: shortIds.map((short) => ({ id: short, name: `Room ${short}`, data_general: [{ '2': short, '1': null }] })),
    areas_autocomplete_list: shortIds.slice(0, 5).map((short) => ({ id: short, name: short })),
  })),
  partners: [
    { id: 'everything', name: 'All', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] },
    { id: 'some', name: 'Some', grants: [{ facilities: ['a', 'B'], read: ['areas'], write: ['name'], rooms: '*' }] },
    { id: 'little', name: 'Little', grants: [{ facilities: ['B', 'Z.9'], read: [], write: [], rooms: [] }] },
  ],
}
