import { sandboxNow } from '../../domain/sandbox.ts'
import { parseClockChange } from '../../domain/sandbox-clock.ts'
import { moveClock, readSandbox, resetSandbox } from '../../operations/sandbox.ts'
import { clockBody, sandboxExample } from '../sandbox-view.ts'
import { Type } from '../schema.ts'
import type { Endpoint } from './endpoint.ts'
import { parsePlainBody } from './webhooks.ts'

const common = { tag: 'Sandbox', needs: 'none', sandbox: true, query: [] } as const
const response = {
  description: 'The sandbox as it is now.',
  schema: Type.Ref('Sandbox'),
  example: sandboxExample,
  etag: false,
}

export const getSandbox: Endpoint = {
  ...common,
  method: 'GET',
  path: '/v1/sandbox',
  operationId: 'getSandbox',
  summary: 'Get the sandbox',
  refusals: [],
  description: 'Its facilities, what its clock shows, and when it was last reset.',
  response,
  handle: async (context) => {
    context.query()
    return { body: JSON.stringify(sandboxNow(await readSandbox(context.db, { id: context.partner.id }))) }
  },
}

export const postSandboxReset: Endpoint = {
  ...common,
  method: 'POST',
  path: '/v1/sandbox/reset',
  operationId: 'resetSandbox',
  summary: 'Put the sandbox back to its start',
  refusals: [],
  description:
    'Names, networks, portal pages and lists are what they were when the sandbox was made, all rooms are closed and empty, and the clock shows real time. What that changes is told as events. Tokens and webhooks stay. No body is needed; one that comes is ignored.',
  response,
  handle: async (context) => {
    context.query()
    return {
      body: JSON.stringify(sandboxNow(await resetSandbox(context.db, context.caller, { id: context.partner.id }))),
    }
  },
}

export const postSandboxClock: Endpoint = {
  ...common,
  method: 'POST',
  path: '/v1/sandbox/clock',
  operationId: 'moveSandboxClock',
  summary: 'Move the clock of the sandbox',
  refusals: [],
  description:
    'Send `now` or `advance`. The clock goes on from there and only ever forward, at most ten years ahead; a reset puts it back. What begins, ends soon or ends on the way is told as events, each once, before this answers. The same `now` sent twice moves it once.',
  body: { plain: true, ...clockBody },
  response,
  handle: async (context) => {
    const order = await parsePlainBody(context, parseClockChange)
    const moved = await moveClock(context.db, context.caller, { id: context.partner.id }, order, context.endingSeconds)
    return { body: JSON.stringify(sandboxNow(moved)) }
  },
}
