/**
 * The estate of the benchmark, computed from indexes alone: every builder (Atrium's estate file, a peer's importer)
 * creates the same one, without holding it in memory.
 */
export interface BenchEstate {
  scale: number
  facilities: number
  /** Rooms per facility; the autocomplete list has an entry for each. */
  areas: number
  partners: number
  /** Facilities per partner, with all permissions. */
  facilitiesPerPartner: number
  /** Number of rooms per facility, the first ones, that have subscriptions initially. */
  roomsWithSubscriptions: number
  subscriptionsPerRoom: number
  facility(index: number): BenchFacility
  area(facility: number, index: number): BenchArea
  subscription(facility: number, area: number, index: number): BenchSubscription
  partner(index: number): BenchPartner
  /** Returns the partners that can access a facility. */
  partnersOf(facility: number): number[]
}

export interface BenchFacility {
  idExternal: string
  name: string
  status: string
  type: string
  ssidPublic: string
  subscriptionUrl: string
  subscribed: boolean
  timezone: string
  address: { street: string; postal_code: string; city: string; region: string | null; country: string }
}

export interface BenchArea {
  short: string
  fullId: string
  name: string
}

export interface BenchSubscription {
  code: string
  label: string
  status: string
  start: string
  end: string
}

export interface BenchPartner {
  id: string
  name: string
  facilities: number[]
}

export const benchTimezone = 'Europe/Paris'

const maxPartners = 10_000

export function benchEstate(scale: number): BenchEstate {
  const facilities = Math.max(Math.round(1000 * scale), 50)
  const partners = Math.min(Math.max(Math.round(100 * scale), 5), maxPartners)
  // Partner p starts at facility p × step and has access to five times as many, so each facility has five partners.
  const step = Math.max(Math.floor(facilities / partners), 1)
  const facilitiesPerPartner = Math.max(5 * step, 50)
  const areas = scale > 100 ? 2 : scale > 1 ? 20 : 200
  return {
    scale,
    facilities,
    areas,
    partners,
    facilitiesPerPartner,
    roomsWithSubscriptions: Math.min(20, areas),
    subscriptionsPerRoom: 3,
    facility,
    area,
    subscription,
    partner: (index) => ({
      id: `partner-${pad(index, 5)}`,
      name: `Partner ${index}`,
      facilities: Array.from({ length: facilitiesPerPartner }, (_, k) => (index * step + k) % facilities),
    }),
    partnersOf: (index) => {
      const last = Math.floor(index / step)
      const count = Math.min(Math.floor(facilitiesPerPartner / step), partners)
      return Array.from({ length: count }, (_, k) => (last - k + partners) % partners)
    },
  }
}

const houses = ['Hôtel', 'Résidence', 'Clinique', 'Gasthof', 'Pension', 'Camping', 'Schlössl', 'Maison']
const places = ['Bellecour', 'Lumière', 'Zürichsee', 'Genève', 'Köln', 'Marais', 'Célestins', 'München', 'Beauséjour']
const types = ['hotel', 'residence', 'hospital', 'hotel', 'hotel', 'campsite', 'hotel', 'residence']

function facility(index: number): BenchFacility {
  const place = places[index % places.length] ?? ''
  const idExternal = `site-${pad(index, 6)}`
  return {
    idExternal,
    name: `${houses[index % houses.length]} ${place} ${index}`,
    status: 'active',
    type: types[index % types.length] ?? 'hotel',
    ssidPublic: `${place.slice(0, 12)} Guest ${index}`,
    subscriptionUrl: `https://portal.example/${idExternal}`,
    subscribed: index % 3 !== 0,
    timezone: benchTimezone,
    address: {
      street: `${(index % 190) + 1} rue de la République`,
      postal_code: pad(10_000 + (index % 80_000), 5),
      city: place,
      region: null,
      country: 'FR',
    },
  }
}

function area(facilityIndex: number, index: number): BenchArea {
  const short = String(101 + (index % 50) + 100 * Math.floor(index / 50))
  return { short, fullId: `site-${pad(facilityIndex, 6)}-${short}`, name: `Chambre ${short}` }
}

const codes = ['wifi-premium', 'tv-cinéma', 'phone', 'parking']

function subscription(facilityIndex: number, areaIndex: number, index: number): BenchSubscription {
  const code = codes[(facilityIndex + areaIndex + index) % codes.length] ?? 'wifi-premium'
  const day = pad(1 + (index % 27), 2)
  return {
    code,
    label: `Service ${code} ${index}`,
    status: 'active',
    start: `2026-11-${day}T08:00:00.000Z`,
    end: `2027-11-${day}T08:00:00.000Z`,
  }
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
