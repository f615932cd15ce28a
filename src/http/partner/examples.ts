/** Examples from the demo estate: they can be tried on a service that runs with `npm start`. */

export const subscription = {
  id: '019a8b2e-7c1a-7d3e-9f00-5b1c2d3e4f50',
  code: 'tv-premium',
  label: 'Premium TV',
  status: 'active',
  start: '2026-11-15T08:30:00.000Z',
  end: '2026-11-22T23:00:00.000Z',
}

export const area = {
  id_external: 'annecy-01-B-202',
  name: 'Cardiologie B-202',
  opened_at: '2026-11-15T08:30:00.000Z',
  cycle: '019a8b2e-6f00-7a11-8c22-0d1e2f3a4b5c',
  date_created: '2026-01-12T09:00:00.000Z',
  date_updated: '2026-11-15T08:31:04.210Z',
  data_services: [subscription],
  data_general: [{ ward: 'cardiology', floor: 2, beds: 1 }],
}

export const openedArea = { ...area, data_services: [] }

export const closedArea = { ...openedArea, opened_at: null, cycle: null }

export const summary = { id: 1, id_external: 'lyon-01', name: 'Hôtel des Deux Rives', status: 'active' }

export const facility = {
  ...summary,
  date_created: '2026-01-12T09:00:00.000Z',
  date_updated: '2026-11-02T16:20:11.004Z',
  ssid_public: 'Deux Rives Guest',
  address: {
    street: '14 quai des Deux Rives',
    postal_code: '69002',
    city: 'Lyon',
    region: 'Auvergne-Rhône-Alpes',
    country: 'FR',
  },
  subscription_url: 'https://portal.example/lyon-01',
  type: 'hotel',
  subscribed: true,
  devices: [
    {
      id: 'tv-101',
      type: 'tv',
      model: 'Lumen 43H',
      serial: 'L43H-5101',
      status: 'online',
      area_id_external: 'lyon-01-101',
    },
  ],
  areas_count: 36,
  areas_autocomplete_list_count: 36,
}

export const list = {
  areas_autocomplete_list: [
    { id_external: 'lyon-01-101', name: 'Chambre 101' },
    { id_external: 'lyon-01-102', name: 'Chambre 102' },
  ],
}

export const me = {
  partner: { id: 'acme-pms', name: 'Acme PMS' },
  token: { id: 'a1B2c3D4', name: 'production', expires_at: '2027-02-13T00:00:00.000Z' },
  grants: [{ facility: 'lyon-01', read: ['ssid_public', 'areas'], write: ['name'], rooms: [] }],
  contract: { type: 'object', properties: { code: { enum: ['wifi-plus', 'tv-premium'] } } },
  rate_limit: { per_second: 100, burst: 1000 },
}

export const event = {
  id: 'Zb3kQ0xW9sLr7uTf2VhYpA',
  type: 'area.opened',
  occurred_at: '2026-11-15T14:02:11.480Z',
  facility: 'lyon-01',
  area: 'lyon-01-101',
  origin: 'other',
  data: { cycle: '01934c6e-1f58-7c3a-9d27-5b8e4f1a2c60' },
}

export const eventPage = { data: [event], next: 'q7Nd2mXe5RkHc8PyTzWj4g' }
