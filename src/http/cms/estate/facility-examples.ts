export const device = { id: 'tv-101', type: 'tv', model: 'X1', serial: '0001', status: 'online', area: '101' }

export const facility = {
  id: 1,
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
  devices: [device],
  devices_count: 1,
  areas_count: 40,
  open_count: 12,
  list_count: 40,
  date_created: '2026-11-15T08:30:00.000Z',
  date_updated: '2026-11-15T08:30:00.000Z',
}
