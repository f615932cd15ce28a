export const operator = {
  id: '0192f0c1-2d3e-7abc-8def-0123456789ab',
  email: 'ada@example.com',
  name: 'Ada Martin',
  role: 'admin',
  has_password: true,
  date_created: '2026-11-15T08:30:00.000Z',
  date_disabled: null,
}

export const session = {
  id: '0192f0c1-2d3e-7abc-8def-0123456789ac',
  current: true,
  date_created: '2026-11-15T08:30:00.000Z',
  last_used: '2026-11-15T09:12:00.000Z',
  expires_at: '2026-11-15T21:12:00.000Z',
  address: '192.0.2.10',
  agent: 'Mozilla/5.0',
}

export const signedIn = { operator, via: 'session', expires_at: session.expires_at }

export const key = {
  id: '4fT0aZ9q',
  operator: operator.id,
  name: 'nightly import',
  date_created: '2026-11-15T08:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used: null,
  allowed_ranges: [],
}

export const issuedKey = { key, secret: `atk_4fT0aZ9q_${'x'.repeat(43)}${'0'.repeat(6)}` }
