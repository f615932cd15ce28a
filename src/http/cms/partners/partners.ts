import type { Limits } from '../../../config.ts'
import type { EstatePartner } from '../../../domain/estate.ts'
import { refusalFor } from '../../../domain/refusal.ts'
import { partnerCheck } from '../../../estate/check-partner.ts'
import {
  changePartner,
  createPartner,
  findPartners,
  readPartner,
  removePartner,
} from '../../../operations/cms/partner.ts'
import { Type } from '../../schema.ts'
import { count } from '../../schema-parts.ts'
import { tryContract } from '../../threads/contract-trial.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { named } from '../fields.ts'
import { pageLength } from '../query.ts'
import {
  grantExample,
  partnerExample,
  partnerFields,
  partnerId,
  partnerRow,
  partnerRowExample,
  partnerView,
} from './partner-view.ts'

const common = { tag: 'Partners' } as const
const one = { description: 'The partner.', schema: Type.Ref('Partner'), example: partnerExample }
const path = '/cms/v1/partners/{partnerId}'

/** Does not validate the contract (a JSON Schema): `withValidContract` does it, in a worker thread. */
const partnerShape = (limits: Limits) => partnerCheck(limits, () => undefined)

async function withValidContract(partner: EstatePartner): Promise<EstatePartner> {
  if (typeof partner.contract !== 'string') return partner
  const { error, slow } = await tryContract({ contract: partner.contract, samples: [] })
  if (error === null) return partner
  const { pointer, detail } = slow ?? { pointer: '', detail: error }
  throw refusalFor('body_invalid', 'Nothing was changed.', [{ pointer: `/contract${pointer}`, detail }])
}

export const listPartners: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/partners',
  operationId: 'listPartners',
  summary: 'List the partners',
  description: 'Ordered by id.',
  query: ['q', 'limit', 'cursor'],
  response: {
    description: 'A page of partners.',
    schema: Type.Array(Type.Ref('PartnerRow')),
    example: [partnerRowExample],
  },
  refusals: [],
  handle: async ({ db, query }) => {
    const { q, limit = pageLength, cursor } = query()
    const { items, next, total } = await findPartners(db, { q, limit, cursor })
    return { body: items.map(partnerRow), next, total }
  },
}

export const postPartner: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/partners',
  operationId: 'createPartner',
  summary: 'Add a partner',
  description: 'The body is one item of `partners` of an estate file.',
  body: {
    schema: Type.Object({ id: partnerId, ...Type.Partial(Type.Object(partnerFields)).properties }),
    example: { id: 'acme-pms', name: 'Acme PMS', grants: [grantExample] },
  },
  response: one,
  refusals: ['partner_exists', 'estate_conflict'],
  handle: async ({ db, actor, config, read }) => ({
    body: partnerView(await createPartner(db, actor, await withValidContract(await read(partnerShape(config.limits))))),
  }),
}

export const getPartner: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  path,
  operationId: 'getPartner',
  summary: 'Get a partner',
  description: 'With its grants and its contract.',
  response: one,
  refusals: ['partner_not_found'],
  handle: async ({ db, params }) => ({ body: partnerView(await readPartner(db, params.partnerId)) }),
}

export const patchPartner: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'PATCH',
  path,
  operationId: 'changePartner',
  summary: 'Change a partner',
  description:
    'Properties that are left out stay; the list of grants is replaced. Takes effect with the next request, on every node.',
  conditional: true,
  body: { schema: Type.Partial(Type.Object(partnerFields)), example: { grants: [grantExample] } },
  response: one,
  refusals: ['partner_not_found', 'estate_conflict'],
  handle: async ({ db, actor, config, params, read, expects }) => {
    const change = await withValidContract(await read(named('id', params.partnerId, partnerShape(config.limits))))
    return { body: partnerView(await changePartner(db, actor, change, expects(partnerView))) }
  },
}

export const deletePartner: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'DELETE',
  path,
  operationId: 'removePartner',
  summary: 'Remove a partner',
  description: 'With its grants and tokens, which are refused from the next request on.',
  conditional: true,
  response: {
    description: 'The partner as it was, and what was removed with it.',
    schema: Type.Object({
      removed: Type.Ref('Partner'),
      lost: Type.Object({ tokens: count('Number of tokens that were not revoked.') }),
    }),
    example: { removed: partnerExample, lost: { tokens: 2 } },
  },
  refusals: ['partner_not_found'],
  handle: async ({ db, actor, params, expects }) => {
    const { partner, tokens } = await removePartner(db, actor, params.partnerId, expects(partnerView))
    return { body: { removed: partnerView(partner), lost: { tokens } } }
  },
}
