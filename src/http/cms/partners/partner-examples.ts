export const grant = { facilities: ['lyon-01'], read: '*', write: ['name'], rooms: [] }

export const partner = {
  id: 'acme-pms',
  name: 'Acme PMS',
  rate_limit: null,
  webhooks: false,
  contract: null,
  grants: [grant],
}

export const partnerRow = {
  id: 'acme-pms',
  name: 'Acme PMS',
  rate_limit: null,
  contract: false,
  grants_count: 1,
  tokens_count: 2,
  facilities_count: 1,
  last_used: '2026-11-15T08:30:00.000Z',
  webhooks_failing: 0,
  webhooks_disabled: 0,
}

export const token = {
  id: '4fT0aZ9q',
  partner: 'acme-pms',
  name: 'production',
  date_created: '2026-11-15T08:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used: '2026-11-15T08:30:00.000Z',
  allowed_ranges: [],
  successor: null,
  predecessor: null,
  safe_to_revoke: false,
  state: 'active',
  imported: false,
  rotate_by: null,
}

export const importedToken = { ...token, name: 'tills', imported: true, rotate_by: '2027-02-15T08:30:00.000Z' }

export const issuedToken = { token, secret: `atr_4fT0aZ9q_${'x'.repeat(43)}${'0'.repeat(6)}` }
