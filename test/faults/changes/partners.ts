import { hashSecret } from '../../../src/domain/access/token.ts'
import type { Random } from '../../torture/random.ts'
import type { Case } from './judge.ts'
import * as made from './made.ts'
import { ways } from './ways.ts'
import type { World } from './world.ts'

/** Changes of partners: rights, tokens, webhooks and sandboxes. */
export const partnerCases: Case[] = [
  ...ways.flatMap(({ name, apply }): Case[] => [
    {
      name: `a partner is created ${name}`,
      action: 'partner.create',
      undone: true,
      prepare: async (world, random) => () =>
        apply(world, { partners: [{ id: made.newId(), name: 'New', ...rights(random) }] }),
    },
    {
      name: `a partner is changed ${name}`,
      action: 'partner.update',
      undone: true,
      prepare: async (world, random) => {
        const id = await made.newPartner(world, random)
        return () => apply(world, { partners: [{ id, name: made.newName(random), ...rights(random) }] })
      },
    },
  ]),
  {
    name: 'a partner is created by an operator',
    action: 'partner.create',
    undone: true,
    prepare: async (world, random) => () => made.newPartner(world, random),
  },
  ...(['grants', 'contract', 'rate_limit', 'webhooks'] as const).map(
    (key): Case => ({
      name: `${key} of a partner is changed by an operator`,
      action: 'partner.update',
      undone: true,
      prepare: async (world, random) => {
        const id = await made.newPartner(world, random)
        return () => world.done(`PATCH /cms/v1/partners/${id}`, { [key]: rights(random)[key] })
      },
    }),
  ),
  {
    name: 'all rights of a partner are taken away',
    action: 'partner.update',
    undone: true,
    prepare: async (world, random) => {
      const { partner } = await made.partnerWithToken(world, random)
      return () => world.done(`PATCH /cms/v1/partners/${partner}`, { grants: [] })
    },
  },
  {
    name: 'a partner is removed',
    action: 'partner.remove',
    undone: true,
    prepare: async (world, random) => {
      const id = await made.newPartner(world, random)
      return () => world.done(`DELETE /cms/v1/partners/${id}`)
    },
  },
]

function rights(random: Random) {
  return {
    grants: [...made.grants(random, ['g']), { facilities: '*', read: [], write: ['name'], rooms: [] }],
    contract: random.chance(0.3) ? null : made.contract(random),
    rate_limit: `${1 + random.below(100)}/s burst ${100 + random.below(1000)}`,
    webhooks: true,
  }
}

const token = (name: string, action: Case['action'], change: (world: World, id: string) => Promise<unknown>): Case => ({
  ...{ name, action, undone: action === 'token.update' },
  prepare: async (world, random) => {
    const { id } = await made.newToken(world, await made.newPartner(world, random))
    return () => change(world, id)
  },
})

export const tokenCases: Case[] = [
  {
    name: 'a token is created by an operator',
    action: 'token.create',
    undone: false,
    prepare: async (world, random) => {
      const partner = await made.newPartner(world, random)
      const body = { name: made.newId(), allowed_ranges: ['10.0.0.0/8'], expires_at: '2040-01-01T00:00:00.000Z' }
      return () => world.done(`POST /cms/v1/partners/${partner}/tokens`, body)
    },
  },
  {
    name: 'a token is created from the command line',
    action: 'token.create',
    undone: false,
    prepare: async (world, random) => {
      const partner = await made.newPartner(world, random)
      return () => world.command('token', 'create', partner, '--name', made.newId())
    },
  },
  {
    name: 'a token is imported',
    action: 'token.import',
    undone: false,
    prepare: async (world, random) => {
      const partner = await made.newPartner(world, random)
      const name = made.newId()
      const body = { name, sha256: hashSecret(name), rotate_by: '2040-01-01T00:00:00.000Z' }
      return () => world.done(`POST /cms/v1/partners/${partner}/tokens/import`, body)
    },
  },
  token('a token is changed', 'token.update', ({ done }, id) => {
    const body = { name: made.newId(), expires_at: '2041-01-01T00:00:00.000Z', allowed_ranges: ['192.0.2.0/24'] }
    return done(`PATCH /cms/v1/tokens/${id}`, body)
  }),
  token('a token is revoked', 'token.revoke', ({ done }, id) => done(`DELETE /cms/v1/tokens/${id}`)),
  token('a token is revoked from the command line', 'token.revoke', ({ command }, id) =>
    command('token', 'revoke', id),
  ),
  token('a token is rotated', 'token.rotate', ({ done }, id) =>
    done(`POST /cms/v1/tokens/${id}/rotate`, { grace_seconds: 60 }),
  ),
  token('a token is about to end', 'token.near_end', ({ done }, id) => {
    const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString()
    return done(`PATCH /cms/v1/tokens/${id}`, { expires_at: inThreeDays })
  }),
]
