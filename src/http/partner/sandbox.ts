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
  description: 'Its facilities, the time by its clock, and its last reset.',
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
  summary: 'Reset the sandbox',
  refusals: [],
  description:
    'Restores names, networks, portal pages and lists to their state at the creation of the sandbox, closes and empties all rooms, and sets the clock to real time. The changes are sent as events. Tokens and webhooks stay. No body is needed; a body is ignored.',
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
    'Send `now` or `advance`. The clock runs on from the new time. It moves only forward, at most ten years ahead; a reset sets it back. Services that begin, end soon or end in the skipped time are sent as events, each once, before the response. Sending the same `now` twice moves the clock once.',
  body: { plain: true, ...clockBody },
  response,
  handle: async (context) => {
    const order = await parsePlainBody(context, parseClockChange)
    const moved = await moveClock(context.db, context.caller, { id: context.partner.id }, order, context.endingSeconds)
    return { body: JSON.stringify(sandboxNow(moved)) }
  },
}
