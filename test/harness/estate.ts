/**
 * The estate that the tests of `/v1` start from, in the shape of the estate file: a hotel, a hospital whose rooms have
 * services, and a residence that few partners see.
 */
export const estate = {
  facilities: [
    {
      id: 11,
      id_external: 'lyon-01',
      name: 'Hôtel Bellecour',
      status: 'active',
      type: 'hotel',
      ssid_public: 'Bellecour Guest',
      subscription_url: 'https://portal.example/lyon-01',
      subscribed: true,
      timezone: 'Europe/Paris',
      room_services: false,
      address: { street: '20 place Bellecour', postal_code: '69002', city: 'Lyon', region: null, country: 'FR' },
      devices: [
        { id: 'tv-101', type: 'tv', model: 'X1', serial: '0001', status: 'online', area: '101' },
        { id: 'ap-1', type: 'access_point', model: null, serial: null, status: null, area: null },
      ],
      areas: [
        { id: '10', name: 'Room 10', data_general: [] },
        { id: '2', name: 'Room 2', data_general: [] },
        { id: '101', name: 'Suite Étoile', data_general: [{ floor: 1 }] },
        { id: 'bar', name: 'Lounge bar' },
      ],
      areas_autocomplete_list: [
        { id: '101', name: 'Suite Étoile' },
        { id: '2', name: 'Room 2' },
      ],
    },
    {
      id: 12,
      id_external: 'chu-nord',
      name: 'CHU Nord',
      status: 'active',
      type: 'hospital',
      timezone: 'Europe/Paris',
      room_services: true,
      areas: [
        { id: '214', name: 'Room 214', data_general: [{ ward: 'Cardiology' }] },
        { id: '215', name: 'Room 215' },
        { id: '216', name: 'Room 216' },
      ],
    },
    {
      id: 13,
      id_external: 'nice-02',
      name: 'Résidence du Port',
      status: 'suspended',
      type: 'residence',
      room_services: true,
      areas: [{ id: 'A-1', name: 'Flat A1' }],
      areas_autocomplete_list: [],
    },
  ],
  partners: [
    {
      id: 'everything',
      name: 'Sees all',
      webhooks: true,
      grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }],
    },
    {
      id: 'hotelier',
      name: 'Hotel PMS',
      grants: [
        { facilities: ['lyon-01'], read: ['address', 'ssid_public'], write: ['name'], rooms: [] },
        { facilities: ['lyon-01', 'nice-02'], read: ['areas'], write: [], rooms: ['open_close'] },
      ],
    },
    {
      id: 'ward',
      name: 'Patient portal',
      grants: [{ facilities: ['chu-nord'], read: ['areas'], write: [], rooms: '*' }],
    },
    {
      id: 'bare',
      name: 'Sees names only',
      grants: [{ facilities: ['lyon-01', 'chu-nord'], read: [], write: [], rooms: [] }],
    },
    { id: 'stranger', name: 'Sees nothing', grants: [] },
  ],
}

export type PartnerName = 'everything' | 'hotelier' | 'ward' | 'bare' | 'stranger'
