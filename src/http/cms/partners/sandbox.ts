import { type Sandbox, sandboxView } from '../../../domain/sandbox.ts'
import { parseClockChange } from '../../../domain/sandbox-clock.ts'
import { listOf } from '../../../estate/check.ts'
import { externalId } from '../../../estate/check-facility.ts'
import { createSandbox, listSandboxes, removeSandbox } from '../../../operations/cms/sandbox.ts'
import { moveClock, readSandbox, resetSandbox } from '../../../operations/sandbox.ts'
import { clockBody, sandboxForOperatorsExample } from '../../sandbox-view.ts'
import { Type } from '../../schema.ts'
import type { CmsContext, OperatorEndpoint } from '../endpoint.ts'
import { members } from '../fields.ts'

const path = '/cms/v1/partners/{partnerId}/sandbox'
const response = {
  description: 'The sandbox as it is now.',
  schema: Type.Ref('Sandbox'),
  example: sandboxForOperatorsExample,
}
const common = { tag: 'Partners', path, response } as const
const ownerOf = ({ params }: Pick<CmsContext, 'params'>) => params.partnerId
const shown = (sandbox: Sandbox) => ({ body: sandboxView(sandbox) })

export const listPartnerSandboxes: OperatorEndpoint = {
  tag: 'Partners',
  role: 'viewer',
  method: 'GET',
  path: '/cms/v1/partners/{partnerId}/sandboxes',
  operationId: 'listSandboxes',
  summary: 'List the sandboxes of a partner',
  description: 'A list of one sandbox or none.',
  response: {
    description: 'The sandboxes.',
    schema: Type.Array(Type.Ref('Sandbox')),
    example: [sandboxForOperatorsExample],
  },
  refusals: ['partner_not_found'],
  handle: async (context) => ({ body: (await listSandboxes(context.db, ownerOf(context))).map(sandboxView) }),
}

export const getSandbox: OperatorEndpoint = {
  ...common,
  role: 'viewer',
  method: 'GET',
  operationId: 'getSandbox',
  summary: "Get a partner's sandbox",
  description:
    'Its facilities and its clock. A sandbox is itself a partner: its tokens, webhooks and requests are found by its own id.',
  refusals: ['sandbox_not_found'],
  handle: async (context) => shown(await readSandbox(context.db, { owner: ownerOf(context) })),
}

const order = members({ facilities: listOf(externalId) }, ['facilities'])

export const postSandbox: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  operationId: 'createSandbox',
  summary: 'Create a sandbox for a partner',
  description:
    'Copies facilities that grants of the partner cover, with their rooms and lists, without guest data. The partner gets the permissions that it has on the originals at this moment. Create tokens as for any partner, with the id of the sandbox; they begin with `atr_test_`.',
  body: {
    schema: Type.Object({
      facilities: Type.Array(Type.String(), { description: 'The facilities to copy, at most 20.' }),
    }),
    example: { facilities: ['annecy-01'] },
  },
  refusals: ['partner_not_found', 'sandbox_exists', 'estate_conflict'],
  handle: async (context) => {
    const { facilities } = await context.read(order)
    return shown(await createSandbox(context.db, context.actor, ownerOf(context), facilities))
  },
}

export const deleteSandbox: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'DELETE',
  operationId: 'removeSandbox',
  summary: "Remove a partner's sandbox",
  description: 'With its facilities, its webhooks and its tokens, which are refused from the next request on.',
  response: { ...response, description: 'The sandbox as it was.' },
  refusals: ['sandbox_not_found'],
  handle: async (context) => shown(await removeSandbox(context.db, context.actor, ownerOf(context))),
}

export const postSandboxReset: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/reset`,
  operationId: 'resetSandbox',
  summary: 'Reset a sandbox',
  description:
    'Restores its facilities to the copied state, closes and empties all rooms, and sets the clock to real time.',
  refusals: ['sandbox_not_found'],
  handle: async (context) =>
    shown(await resetSandbox(context.db, { actor: context.actor }, { owner: ownerOf(context) })),
}

export const postSandboxClock: OperatorEndpoint = {
  ...common,
  role: 'admin',
  method: 'POST',
  path: `${path}/clock`,
  operationId: 'moveSandboxClock',
  summary: 'Move the clock of a sandbox',
  description: 'With `now` or `advance`, and only forward; a reset sets it back.',
  body: { schema: clockBody.schema, example: { advance: 'PT2H' } },
  refusals: ['sandbox_not_found'],
  handle: async (context) => {
    const order = await context.read(parseClockChange)
    const { eventEndingSeconds } = context.config
    return shown(
      await moveClock(context.db, { actor: context.actor }, { owner: ownerOf(context) }, order, eventEndingSeconds),
    )
  },
}
