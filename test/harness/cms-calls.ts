import type { CmsEndpoint } from '../../src/http/cms/endpoint.ts'
import type { Answered, Asked, TestAtrium } from './atrium.ts'
import type { TestOpenIdProvider } from './openid-provider.ts'
import { browser, password, type TestOperator } from './operators.ts'

export interface World {
  atrium: TestAtrium
  admin: TestOperator
  provider: TestOpenIdProvider
  /** Where webhooks can be sent. */
  receiver: string
}

export interface SampleCall {
  request: string
  asked: Asked
}

/** A text that is only in the services of rooms that are created here. */
export const guestLabel = 'Madame Guest, room service'

let made = 0
const nextId = () => `made-${++made}`

async function done({ atrium, admin }: World, request: string, body?: unknown): Promise<Answered['body']> {
  const answer = await atrium.ask(request, { as: admin.key, ...(body !== undefined && { body }) })
  if (answer.status !== 200) throw new Error(`${request}: ${answer.text}`)
  return answer.body
}

async function newFacility(world: World): Promise<string> {
  const id_external = nextId()
  const areas = ['101', '102'].map((id) => ({ id, name: `Made ${id}` }))
  const devices = [{ id: 'tv-101', type: 'tv', area: '101' }]
  await done(world, 'POST /cms/v1/facilities', { id_external, name: 'Made', room_services: true, areas, devices })
  return id_external
}

async function newPartner(world: World): Promise<string> {
  return (await done(world, 'POST /cms/v1/partners', { id: nextId(), name: 'Made' })).id
}

const newWebhook = ({ receiver }: World) => ({ url: `${receiver}/${nextId()}`, types: '*' })

async function newOperator(world: World): Promise<string> {
  const email = `${nextId()}@example.com`
  return (await done(world, 'POST /cms/v1/operators', { email, name: 'Made', role: 'editor' })).id
}

async function newService(world: World, area: string): Promise<string> {
  const services = [{ code: 'tv', label: guestLabel }]
  return (await done(world, `POST /cms/v1/areas/${area}/services`, { services })).services[0].id
}

/** Creates an open room with a service. */
async function newRoom(world: World): Promise<string> {
  const area = `${await newFacility(world)}-101`
  await done(world, `POST /cms/v1/areas/${area}/open`)
  await newService(world, area)
  return area
}

const linkOf = async (world: World) =>
  (await done(world, `POST /cms/v1/operators/${world.admin.id}/link`)).path.split('=')[1]

/** Signs the administrator in, and returns the cookie. */
async function newCookie(world: World): Promise<string> {
  const secret = await linkOf(world)
  const { headers } = await browser(world.atrium)('POST /cms/v1/sign-in/link', { body: { secret } })
  return headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Completes a single sign-on of the administrator. */
async function returnOf({ atrium, admin, provider }: World): Promise<Asked> {
  provider.person = { email: admin.email, email_verified: true }
  const { headers, body } = await atrium.ask('POST /cms/v1/sign-in/oidc')
  const sent = await fetch(body.location, { redirect: 'manual' })
  const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { headers: { cookie }, body: { query: new URL(sent.headers.get('location') ?? '').search } }
}

/** Creates new objects for each parameter of a path, so that calls are independent. */
const parameters: Record<string, (world: World, earlier: Record<string, string>) => Promise<string>> = {
  facilityId: newFacility,
  areaId: newRoom,
  serviceId: (world, { areaId = '' }) => newService(world, areaId),
  deviceId: async () => 'tv-101',
  partnerId: newPartner,
  tokenId: async (world) =>
    (await done(world, `POST /cms/v1/partners/${await newPartner(world)}/tokens`, { name: 'made' })).token.id,
  webhookId: async (world, { partnerId = '' }) =>
    (await done(world, `POST /cms/v1/partners/${partnerId}/webhooks`, newWebhook(world))).webhook.id,
  operatorId: newOperator,
  seq: async (world) => {
    const facility = await newFacility(world)
    await done(world, `PATCH /cms/v1/facilities/${facility}`, { name: 'Changed' })
    return (await done(world, `GET /cms/v1/facilities/${facility}/history`))[0].seq
  },
  keyId: async (world) => (await done(world, 'POST /cms/v1/keys', { name: 'made' })).key.id,
  sessionId: async (world) => {
    await newCookie(world)
    return (await done(world, 'GET /cms/v1/sessions'))[0].id
  },
}

/** Bodies for routes whose example in the OpenAPI document cannot be sent as it is. */
const bodies: Record<string, (world: World, parameters: Record<string, string>) => unknown> = {
  createFacility: () => ({ id_external: nextId(), name: 'Made' }),
  createWebhook: newWebhook,
  changeWebhook: () => ({ own: true }),
  replayWebhook: () => ({ from: '2000-01-01' }),
  createSandbox: () => ({ facilities: [covered] }),
  createPartner: () => ({ id: nextId(), name: 'Made' }),
  createOperator: () => ({ email: `${nextId()}@example.com`, name: 'Made', role: 'viewer', password }),
  createAreas: () => ({ range: '301-340' }),
  moveGuest: (_world, { areaId = '' }) => ({ to: areaId.replace(/101$/, '102') }),
  closeAreas: async (world, { facilityId }) => {
    await done(world, `POST /cms/v1/areas/${facilityId}-101/open`)
    return { areas: [{ id: '101' }] }
  },
  addServices: () => ({ services: [{ code: 'tv', label: guestLabel }] }),
  importEstate: () => `facilities:\n  - {id_external: ${nextId()}, name: Made}\n`,
  checkAccess: () => ({ partner: 'ward', method: 'GET', path: '/v1/me' }),
  signIn: async (world) => {
    const email = `${nextId()}@example.com`
    await done(world, 'POST /cms/v1/operators', { email, name: 'Made', role: 'viewer', password })
    return { email, password }
  },
  signInByLink: async (world) => ({ secret: await linkOf(world) }),
}

const covered = 'lyon-01'

/** Creates a partner that can have a sandbox, and the sandbox. */
async function prepareSandbox(world: World, { partnerId }: Record<string, string>, operationId: string): Promise<void> {
  const grants = [{ facilities: [covered], read: '*' }]
  await done(world, `PATCH /cms/v1/partners/${partnerId}`, { grants })
  if (operationId === 'createSandbox') return
  await done(world, `POST /cms/v1/partners/${partnerId}/sandbox`, { facilities: [covered] })
}

/**
 * Makes a successful call of the route on objects of its own, with the example of the document as body where possible.
 */
export async function sampleCall(world: World, endpoint: CmsEndpoint): Promise<SampleCall> {
  const { method, path, operationId, role, body } = endpoint
  if (operationId === 'finishSingleSignOn') return { request: `${method} ${path}`, asked: await returnOf(world) }
  const values: Record<string, string> = {}
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    values[name] = (await parameters[name]?.(world, values)) ?? `no sample of ${name}`
  }
  if (/\/sandbox/.test(path)) await prepareSandbox(world, values, operationId)
  const target = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
  const sent = body && ((await bodies[operationId]?.(world, values)) ?? body.example)
  const { headers, ...who } = await identity(world, operationId, role)
  return {
    request: `${method} ${target}`,
    asked: { ...who, headers: { ...headers, ...typeOf(endpoint) }, ...(sent !== undefined && { body: sent }) },
  }
}

/** The content type, if not JSON. */
export function typeOf({ body }: CmsEndpoint): Record<string, string> {
  return body?.type === undefined ? {} : { 'content-type': body.type }
}

/** Uses a session for routes about sessions, and the administrator's key for the others. */
async function identity(world: World, operationId: string, role: CmsEndpoint['role']): Promise<Asked> {
  const { url } = world.atrium
  const own = { origin: url, 'sec-fetch-site': 'same-origin' }
  if (role === 'anyone') return { headers: own }
  if (!/^signOut/.test(operationId)) return { as: world.admin.key }
  return { headers: { ...own, cookie: await newCookie(world) } }
}
