import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditAction } from '../../../src/domain/audit/audit.ts'
import type { Random } from '../../torture/random.ts'
import type { Case } from './judge.ts'
import * as made from './made.ts'
import type { Json, World } from './world.ts'

/** Actions that cannot be undone; their entries have the values, and the reason. */
function fact(name: string, action: AuditAction, prepare: Case['prepare']): Case {
  return { name, action, undone: false, prepare }
}

function ofWebhook(
  name: string,
  action: AuditAction,
  change: (world: World, path: string, token: string) => Promise<unknown>,
) {
  return fact(name, action, async (world, random) => {
    const { partner, token } = await made.partnerWithToken(world, random)
    const { id } = await made.newWebhook(world, partner)
    return () => change(world, `/cms/v1/partners/${partner}/webhooks/${id}`, token)
  })
}

export const webhookCases: Case[] = [
  fact('a webhook is created', 'webhook.create', async (world, random) => {
    const { partner } = await made.partnerWithToken(world, random)
    return () => made.newWebhook(world, partner)
  }),
  ofWebhook('a webhook is changed', 'webhook.update', ({ done, receiver }, path) =>
    done(`PATCH ${path}`, {
      url: `${receiver.url}/${made.newId()}`,
      types: ['area.opened'],
      own: false,
      active: false,
    }),
  ),
  ofWebhook('a webhook is removed', 'webhook.remove', ({ done }, path) => done(`DELETE ${path}`)),
  ofWebhook('a webhook is rotated', 'webhook.rotate', ({ done }, path) =>
    done(`POST ${path}/rotate`, { grace_seconds: 60 }),
  ),
  ofWebhook('a webhook is replayed', 'webhook.replay', ({ done }, path) =>
    done(`POST ${path}/replay`, { from: '2000-01-01' }),
  ),
  ofWebhook('a webhook is tried at once', 'webhook.retry', ({ done }, path) => done(`POST ${path}/retry`)),
  fact('a webhook is switched off because its receiver is gone', 'webhook.disable', async (world, random) => {
    const { facility, partner } = await made.partnerWithToken(world, random)
    const { url } = await made.newWebhook(world, partner)
    world.receiver.answers(new URL(url).pathname, (_, response) => void response.writeHead(410).end())
    return () => world.done(`POST /cms/v1/areas/${facility}-1/open`)
  }),
]

function ofSandbox(name: string, action: AuditAction, change: (world: World, path: string) => Promise<unknown>): Case {
  return fact(name, action, async (world, random) => {
    const { facility, partner } = await made.partnerWithToken(world, random)
    const path = `/cms/v1/partners/${partner}/sandbox`
    if (action === 'sandbox.create') return () => world.done(`POST ${path}`, { facilities: [facility] })
    await world.done(`POST ${path}`, { facilities: [facility] })
    await world.done(`POST ${path}/clock`, { advance: `PT${1 + random.below(50)}H` })
    return () => change(world, path)
  })
}

export const sandboxCases: Case[] = [
  ofSandbox('a sandbox is created', 'sandbox.create', async () => {}),
  ofSandbox('the clock of a sandbox is moved', 'sandbox.clock', ({ done }, path) =>
    done(`POST ${path}/clock`, { advance: 'PT7H' }),
  ),
  ofSandbox('a sandbox is reset', 'sandbox.reset', ({ done }, path) => done(`POST ${path}/reset`)),
  ofSandbox('a sandbox is removed', 'sandbox.remove', ({ done }, path) => done(`DELETE ${path}`)),
]

const ofKey = (name: string, action: AuditAction, change: (world: World, id: string) => Promise<unknown>) =>
  fact(name, action, async (world) => {
    const { key } = await world.done('POST /cms/v1/keys', { name: made.newId() })
    return () => change(world, key.id)
  })

const ofOperator = (
  name: string,
  action: AuditAction,
  change: (world: World, id: string, random: Random) => Promise<unknown>,
) =>
  fact(name, action, async (world, random) => {
    const id = await made.newOperator(world)
    return () => change(world, id, random)
  })

export const operatorCases: Case[] = [
  fact('an operator is created', 'operator.create', async (world) => () => made.newOperator(world)),
  fact(
    'an operator is created from the command line',
    'operator.create',
    async ({ command }) =>
      () =>
        command('operator', 'create', `${made.newId()}@example.com`),
  ),
  ...(['email', 'name', 'role', 'disabled'] as const).map((key) => ({
    ...ofOperator(`${key} of an operator is changed`, 'operator.update', ({ done }, id, random) => {
      const email = `${made.newId()}@example.com`
      const value = { email, name: made.newName(random), role: 'viewer', disabled: true }[key]
      return done(`PATCH /cms/v1/operators/${id}`, { [key]: value })
    }),
    undone: true,
  })),
  ofOperator('an operator is removed', 'operator.remove', ({ done }, id) => done(`DELETE /cms/v1/operators/${id}`)),
  ofOperator('a link is made', 'operator.link', ({ done }, id) => done(`POST /cms/v1/operators/${id}/link`)),
  ofOperator('an operator signs in', 'operator.sign_in', (world, id) => made.newCookie(world, id)),
  fact('an operator signs out', 'operator.sign_out', async (world) => {
    const as = await made.newCookie(world, world.admin.id)
    return () => world.done('POST /cms/v1/sign-out', undefined, { as })
  }),
  fact(
    'a key is created',
    'key.create',
    async ({ done }) =>
      () =>
        done('POST /cms/v1/keys', { name: made.newId(), allowed_ranges: ['127.0.0.0/8'] }),
  ),
  ofKey('a key is revoked', 'key.revoke', ({ done }, id) => done(`DELETE /cms/v1/keys/${id}`)),
  ofKey('a key is rotated', 'key.rotate', ({ done }, id) =>
    done(`POST /cms/v1/keys/${id}/rotate`, { grace_seconds: 60 }),
  ),
  {
    name: 'settings are changed',
    action: 'setting.change',
    undone: true,
    prepare:
      async ({ done }, random) =>
      () =>
        done('PATCH /cms/v1/settings', {
          many_refused: 100 + random.below(1e4),
          token_unused_days: 100 + random.below(100),
        }),
  },
]

function ofRoom(
  name: string,
  action: AuditAction,
  change: (world: World, room: string, service: string) => Promise<unknown>,
) {
  return fact(name, action, async (world, random) => {
    const room = `${await made.newFacility(world, random)}-1`
    await world.done(`POST /cms/v1/areas/${room}/open`)
    const { services } = await world.done(`POST /cms/v1/areas/${room}/services`, { services: [{ code: 'tv' }] })
    return () => change(world, room, services[0].id)
  })
}

const soon = (ms: number) => new Date(Date.now() + ms).toISOString()
const added = (world: World, room: string, times: Json) =>
  world.done(`POST /cms/v1/areas/${room}/services`, { services: [{ code: 'tv', ...times }] })

export const roomCases: Case[] = [
  ofRoom('a room is opened', 'room.open', ({ done }, room) => done(`POST /cms/v1/areas/${room}/open`)),
  ofRoom('a room is closed', 'room.close', ({ done }, room) => done(`POST /cms/v1/areas/${room}/close`)),
  ofRoom('a guest is moved', 'room.move', ({ done }, room) =>
    done(`POST /cms/v1/areas/${room}/move`, { to: room.replace(/1$/, '2') }),
  ),
  ofRoom('a service is changed', 'services.change', ({ done }, room, service) =>
    done(`PATCH /cms/v1/areas/${room}/services/${service}`, { end: soon(86_400_000) }),
  ),
  fact('the services of a room are replaced by a partner', 'services.replace', async (world, random) => {
    const { facility, token } = await made.partnerWithToken(world, random)
    await world.done(`POST /cms/v1/areas/${facility}-1/open`)
    const body = { data_services: [{ code: 'tv' }, { code: made.newId() }] }
    return () => world.done(`PUT /v1/areas/${facility}-1/data_services`, body, { as: token })
  }),
  ofRoom('a service is added', 'services.add', (world, room) => added(world, room, {})),
  ofRoom('a service is deleted', 'services.delete', ({ done }, room, service) =>
    done(`DELETE /cms/v1/areas/${room}/services/${service}`),
  ),
  ofRoom('a service begins', 'service.start', (world, room) => added(world, room, { start: soon(1500) })),
  ofRoom('a service is about to end', 'service.near_end', (world, room) =>
    added(world, room, { end: soon(3_601_500) }),
  ),
  ofRoom('a service ends', 'service.end', (world, room) => added(world, room, { end: soon(1500) })),
  {
    ...fact('a backup is restored', 'database.restore', async (world, random) => {
      const folder = mkdtempSync(join(tmpdir(), 'atrium-changes-'))
      const file = join(folder, 'backup.gz')
      await world.command('backup', file)
      await world.done('PATCH /cms/v1/facilities/g', { name: made.newName(random) })
      return async () => {
        await world.command('restore', file, '--replace', '--yes')
        rmSync(folder, { recursive: true })
      }
    }),
    tellsNothing: true,
  },
]
