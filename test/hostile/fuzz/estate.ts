const all = { read: '*', write: '*', rooms: '*' } as const

/** The canary in every field of the facility that is hidden from the fuzzer's partners. */
export const hiddenText = 'hidden-canary'
/** The canary in the environment of the server. */
export const environmentText = 'environment-canary'

const rooms = ['1', '2', 'B-202', 'é%']

function facility(id_external: string, text: string, room_services: boolean) {
  return {
    id_external,
    name: `${text} name`,
    status: 'active',
    type: 'hotel',
    ssid_public: `${text} ssid`,
    subscription_url: `https://${text}.example/`,
    room_services,
    address: { street: text, postal_code: text, city: text, region: text, country: 'FR' },
    devices: [{ id: 'tv', type: 'tv', model: text, serial: text, status: text, area: '1' }],
    areas: rooms.map((id) => ({ id, name: `${text} ${id}`, data_general: [{ note: text }] })),
    areas_autocomplete_list: rooms.map((id) => ({ id, name: `${text} ${id}` })),
  }
}

export const estate = {
  facilities: [
    facility('clinic', 'clinic', true),
    facility('hotel-1', 'hotel', false),
    facility('hidden', hiddenText, true),
  ],
  partners: [
    { id: 'broad', name: 'Broad', grants: [{ facilities: ['clinic', 'hotel-1'], ...all }] },
    { id: 'narrow', name: 'Narrow', grants: [{ facilities: ['hotel-1'], read: ['type'], write: [], rooms: [] }] },
    { id: 'root', name: 'Root', grants: [{ facilities: '*', ...all }] },
  ],
}

/** Ids for paths: visible, hidden and absent ones. */
export const facilityIds = ['clinic', 'clinic', 'clinic', 'hotel-1', 'hotel-1', 'hidden', 'nowhere']
export const areaIds = ['clinic', 'clinic', 'clinic', 'hotel-1', 'hidden', 'nowhere'].flatMap((id) =>
  [...rooms, '9'].map((room) => `${id}-${room}`),
)
