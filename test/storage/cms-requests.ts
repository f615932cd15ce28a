interface Captured {
  /** The placeholder by which later requests refer to the value. */
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
  from(body: any): unknown
}

const id = (name: string): Captured => ({ name, from: (body) => body.id })

const hook = { url: 'https://receiver.example/', types: '*' }

/** One request per route of the CMS API and form of its parameters, on the large estate. */
export const cmsRequests: [string, (object | string | undefined)?, Captured?][] = [
  ['GET /cms/v1/sign-in'],
  ['POST /cms/v1/sign-in', { email: 'nobody@example.com', password: 'not the right one' }],
  ['POST /cms/v1/sign-in/link', { secret: 'x'.repeat(43) }],
  ['POST /cms/v1/sign-in/oidc'],
  ['POST /cms/v1/sign-in/oidc/return', { query: '' }],
  ['POST /cms/v1/sign-out'],
  ['GET /cms/v1/me'],
  ['PATCH /cms/v1/me', { name: 'Ada' }],
  ['GET /cms/v1/sessions'],
  ['DELETE /cms/v1/sessions/none'],
  ['DELETE /cms/v1/sessions'],
  ['GET /cms/v1/operators'],
  ['POST /cms/v1/operators', { email: 'ada@example.com', name: 'Ada', role: 'viewer' }, id('OPERATOR_ID')],
  ['GET /cms/v1/operators/OPERATOR_ID'],
  ['PATCH /cms/v1/operators/OPERATOR_ID', { name: 'Eve' }],
  ['POST /cms/v1/operators/OPERATOR_ID/link'],
  ['DELETE /cms/v1/operators/OPERATOR_ID'],
  ['GET /cms/v1/keys'],
  ['POST /cms/v1/keys', { name: 'ci' }, { name: 'KEY_ID', from: ({ key }) => key.id }],
  ['POST /cms/v1/keys/KEY_ID/rotate', {}],
  ['DELETE /cms/v1/keys/KEY_ID'],
  ['GET /cms/v1/facilities?limit=3'],
  ['GET /cms/v1/facilities?limit=3&q=facility'],
  ['GET /cms/v1/facilities?limit=3&status=closed&type=hotel&sort=-name'],
  ['GET /cms/v1/facilities?limit=3&sort=date_updated'],
  ['POST /cms/v1/facilities', { id_external: 'new-01', name: 'New', areas: [{ id: '1', name: 'One' }] }],
  ['GET /cms/v1/facilities/f275'],
  ['PATCH /cms/v1/facilities/f275', { name: 'Another' }],
  ['GET /cms/v1/facilities/f275/history', undefined, { name: 'SEQ_ID', from: ([entry]) => entry.seq }],
  ['POST /cms/v1/audit/SEQ_ID/undo'],
  ['GET /cms/v1/facilities/f275/areas?limit=1'],
  ['GET /cms/v1/facilities/f275/areas?open=true&q=room'],
  ['POST /cms/v1/facilities/f275/areas', { range: '101-120' }],
  ['PATCH /cms/v1/facilities/f275/areas', { areas: [{ id: '101', name: 'Changed' }] }],
  ['POST /cms/v1/facilities/f275/areas/import?dry_run=true', 'id,name\n101,Room\n102,Room\n'],
  ['POST /cms/v1/facilities/f275/areas/import', 'id,name\n101,Room\n102,Room\n'],
  ['GET /cms/v1/areas/f275-101'],
  ['POST /cms/v1/areas/f275-101/open'],
  ['POST /cms/v1/areas/f275-101/services', { services: [{ code: 'tv' }] }, { name: 'SERVICE_ID', from: firstService }],
  ['PATCH /cms/v1/areas/f275-101/services/SERVICE_ID', { label: 'Another' }],
  ['POST /cms/v1/areas/f275-101/move', { to: 'f275-102' }],
  ['POST /cms/v1/areas/f275-102/move', { to: 'f275-101' }],
  ['DELETE /cms/v1/areas/f275-101/services/SERVICE_ID'],
  ['POST /cms/v1/areas/f275-101/close'],
  ['POST /cms/v1/facilities/f275/areas/close', { areas: [{ id: '101' }, { id: '102' }] }],
  ['DELETE /cms/v1/facilities/f275/areas', { ids: ['119', '120'] }],
  ['GET /cms/v1/facilities/f275/list'],
  ['PUT /cms/v1/facilities/f275/list', { entries: [{ id: '101', name: 'Room 101' }] }],
  ['GET /cms/v1/facilities/f275/list/differences'],
  ['PUT /cms/v1/facilities/f275/devices/tv-1', { type: 'tv', area: '101' }],
  ['DELETE /cms/v1/facilities/f275/devices/tv-1'],
  ['GET /cms/v1/partners?limit=3'],
  ['GET /cms/v1/partners?limit=3&q=partner'],
  ['POST /cms/v1/partners', { id: 'new', name: 'New', grants: [{ facilities: ['f275'], read: '*' }] }],
  ['GET /cms/v1/partners/p7'],
  ['PATCH /cms/v1/partners/p7', { name: 'Seven', grants: [{ facilities: ['f275', 'f276'], read: '*', write: '*' }] }],
  ['GET /cms/v1/partners/p7/access?limit=1'],
  ['GET /cms/v1/partners/p100/access?limit=3&q=facility'],
  ['POST /cms/v1/partners/p7/rehearsal', { grants: [{ facilities: ['f275'], read: '*' }] }],
  ['GET /cms/v1/partners/p7/tokens'],
  ['GET /cms/v1/tokens'],
  ['POST /cms/v1/partners/p7/tokens', { name: 'ci' }, { name: 'TOKEN_ID', from: ({ token }) => token.id }],
  ['PATCH /cms/v1/tokens/TOKEN_ID', { name: 'another' }],
  ['POST /cms/v1/tokens/TOKEN_ID/rotate', {}],
  ['POST /cms/v1/partners/p7/tokens/import', { name: 'imported', sha256: 'a'.repeat(64) }],
  ['DELETE /cms/v1/tokens/TOKEN_ID'],
  ['GET /cms/v1/partners/p7/webhooks'],
  ['POST /cms/v1/partners/p7/webhooks', hook, { name: 'WEBHOOK_ID', from: ({ webhook }) => webhook.id }],
  ['GET /cms/v1/partners/p7/webhooks/WEBHOOK_ID'],
  ['PATCH /cms/v1/partners/p7/webhooks/WEBHOOK_ID', { own: true }],
  ['POST /cms/v1/partners/p7/webhooks/WEBHOOK_ID/ping'],
  ['POST /cms/v1/partners/p7/webhooks/WEBHOOK_ID/rotate', {}],
  ['GET /cms/v1/partners/p7/webhooks/WEBHOOK_ID/deliveries?limit=3'],
  ['POST /cms/v1/partners/p7/webhooks/WEBHOOK_ID/retry'],
  ['POST /cms/v1/partners/p7/webhooks/WEBHOOK_ID/replay', { from: '2000-01-01' }],
  ['DELETE /cms/v1/partners/p7/webhooks/WEBHOOK_ID'],
  ['POST /cms/v1/partners/p7/sandbox', { facilities: ['f275'] }],
  ['GET /cms/v1/partners/p7/sandbox'],
  ['GET /cms/v1/partners/p7/sandboxes'],
  ['POST /cms/v1/partners/p7/sandbox/clock', { advance: 'PT1H' }],
  ['POST /cms/v1/partners/p7/sandbox/reset'],
  ['DELETE /cms/v1/partners/p7/sandbox'],
  ['POST /cms/v1/contract/check', { contract: true, samples: [] }],
  ['POST /cms/v1/access-check', { partner: 'p7', method: 'GET', path: '/v1/facilities/f275' }],
  ['GET /cms/v1/requests?limit=3'],
  ['GET /cms/v1/requests?limit=3&partner=p7&status=4xx'],
  ['GET /cms/v1/requests?request_id=r7'],
  ['GET /cms/v1/audit?limit=3'],
  ['GET /cms/v1/audit?limit=3&facility=f275'],
  ['GET /cms/v1/audit?limit=3&actor=p7'],
  ['GET /cms/v1/audit/export?format=csv&facility=f275'],
  ['GET /cms/v1/requests/export?format=csv&facility=f275'],
  ['GET /cms/v1/figures?minutes=60'],
  ['GET /cms/v1/settings'],
  ['PATCH /cms/v1/settings', { request_log_days: 6 }],
  ['GET /cms/v1/about'],
  ['POST /cms/v1/import?dry_run=true', 'facilities:\n  - {id_external: f275, name: Imported}\n'],
  ['POST /cms/v1/import', 'facilities:\n  - {id_external: f275, name: Imported, areas: [{id: "101", name: X}]}\n'],
  ['DELETE /cms/v1/partners/new'],
  ['DELETE /cms/v1/facilities/new-01'],
]

function firstService({ services }: { services: { id: string }[] }): unknown {
  return services[0]?.id
}

/** Routes that are not requested: one streams until the client disconnects, the others read whole tables. */
export const notAsked = ['followRequests', 'exportEstate', 'getBackup', 'verifyAudit', 'exportSealedAudit']

/** Requests that may scan a table or an index, and why. */
export const readThrough: { request: RegExp; tables: string[]; why: string }[] = [
  {
    request: /GET \/cms\/v1\/(?:facilities\?|partners\/p100\/access)/,
    tables: ['facility'],
    why: 'it says how many fit, and a word may stand anywhere in a name',
  },
  { request: /GET \/cms\/v1\/partners\?/, tables: ['partner'], why: 'the same' },
  {
    request: /POST \/cms\/v1\/partners\/p7\/rehearsal/,
    tables: ['facility'],
    why: 'PostgreSQL hashes the ids of facilities once where the log is long',
  },
  {
    request: /GET \/cms\/v1\/(?:audit|requests)(?:\/export)?\?(?:limit|format)/,
    tables: ['audit_entry', 'request_log'],
    why: 'the newest first, as many as a page looks through',
  },
  { request: /GET \/cms\/v1\/tokens$/, tables: ['token'], why: 'it returns all of them' },
  { request: /GET \/cms\/v1\/figures/, tables: ['token'], why: 'a partner has a few, of which any may be unused' },
  {
    request: /GET \/cms\/v1\/figures/,
    tables: ['facility', 'area', 'autocomplete_list'],
    why: 'all of them are counted, by an index alone',
  },
]
