export const request = {
  seq: 81,
  at: '2026-11-15T08:30:00.000Z',
  partner: 'acme-pms',
  token: '4fT0aZ9q',
  method: 'PATCH',
  route: '/v1/facilities/:facilityExternalId/name',
  facility: 'lyon-01',
  area: null,
  status: 403,
  code: 'not_granted',
  detail: 'Changing "name" of this facility is not granted.',
  duration_ms: 0.412,
  request_id: '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50',
  address: '192.0.2.10',
}

export const auditEntry = {
  seq: 1207,
  at: '2026-11-15T08:30:00.000Z',
  actor: { kind: 'partner', name: 'acme-pms', token: '4fT0aZ9q', address: '192.0.2.10' },
  request_id: '3f1c2a54-8f0e-4a39-9a55-0c1d2b3e4f50',
  action: 'facility.change',
  facility: 'lyon-01',
  partner: null,
  subject: null,
  detail: { property: 'ssid_public', before: 'Bellecour', after: 'Bellecour Guest' },
  can_undo: true,
}
