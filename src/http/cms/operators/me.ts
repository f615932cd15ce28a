import { changeOperator } from '../../../operations/access/operator.ts'
import { assertCurrentPassword, endSessions, findSessions } from '../../../operations/access/operator-session.ts'
import { Type } from '../../schema.ts'
import { text } from '../../schema-parts.ts'
import { clearSessionCookie } from '../cookie.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { anyText, members, newPassword, personName } from '../fields.ts'
import { operatorExample, operatorView, sessionExample, sessionView, signedInExample } from './operator-view.ts'

const own = { tag: 'Sign-in', role: 'viewer' } as const
const ended = { description: 'Number of sessions that ended.', schema: Type.Ref('Ended'), example: { ended: 1 } }

export const getMe: OperatorEndpoint = {
  ...own,
  method: 'GET',
  path: '/cms/v1/me',
  operationId: 'getOperatorMe',
  summary: 'Get the operator who sends the request',
  description: 'The operator to whom the session cookie or the key belongs.',
  response: { description: 'The operator.', schema: Type.Ref('SignedIn'), example: signedInExample },
  refusals: [],
  handle: async ({ operator, session }) => ({
    body: {
      operator: operatorView(operator),
      via: session === undefined ? 'key' : 'session',
      expires_at: session?.expiresAt ?? null,
    },
  }),
}

const ownChange = members({ name: personName, password: newPassword, current_password: anyText })

export const patchMe: OperatorEndpoint = {
  ...own,
  method: 'PATCH',
  path: '/cms/v1/me',
  operationId: 'changeOperatorMe',
  summary: 'Change your own name or password',
  description: 'A new password needs the current one, and ends all sessions: sign in again with the new one.',
  body: {
    schema: Type.Partial(
      Type.Object({
        name: text('Your name.'),
        password: text('The new password.'),
        current_password: text('The current password.'),
      }),
    ),
    example: { name: 'Ada Martin' },
  },
  response: { description: 'The operator as they are now.', schema: Type.Ref('Operator'), example: operatorExample },
  refusals: ['sign_in_refused', 'sign_in_slowed'],
  handle: async ({ db, actor, operator, read }) => {
    const { current_password: current, ...change } = await read(ownChange)
    if (change.password !== undefined) await assertCurrentPassword(db, operator, current, actor.address)
    return { body: operatorView(await changeOperator(db, actor, operator.id, change, () => {})) }
  },
}

export const signOut: OperatorEndpoint = {
  ...own,
  method: 'POST',
  path: '/cms/v1/sign-out',
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session of this browser.',
  response: ended,
  refusals: [],
  handle: async ({ db, actor, operator, session, isSecure }) => ({
    body: { ended: session === undefined ? 0 : await endSessions(db, actor, operator.id, { id: session.id }) },
    headers: clearSessionCookie(isSecure),
  }),
}

export const getSessions: OperatorEndpoint = {
  ...own,
  method: 'GET',
  path: '/cms/v1/sessions',
  operationId: 'listSessions',
  summary: 'List your sessions',
  description: 'The browsers in which you are signed in, the last used first.',
  response: {
    description: 'The sessions.',
    schema: Type.Array(Type.Ref('Session')),
    example: [sessionExample],
  },
  refusals: [],
  handle: async ({ db, operator, session }) => ({
    body: (await findSessions(db, operator.id)).map((one) => sessionView(one, session?.id)),
  }),
}

export const deleteSession: OperatorEndpoint = {
  ...own,
  method: 'DELETE',
  path: '/cms/v1/sessions/{sessionId}',
  operationId: 'endSession',
  summary: 'End one of your sessions',
  description: 'Ending a session that has ended already is not an error.',
  response: ended,
  refusals: [],
  handle: async ({ db, actor, operator, params }) => ({
    body: { ended: await endSessions(db, actor, operator.id, { id: params.sessionId }) },
  }),
}

export const deleteSessions: OperatorEndpoint = {
  ...own,
  method: 'DELETE',
  path: '/cms/v1/sessions',
  operationId: 'signOutEverywhere',
  summary: 'Sign out everywhere',
  description: 'Ends all your sessions, including this one.',
  response: ended,
  refusals: [],
  handle: async ({ db, actor, operator, isSecure }) => ({
    body: { ended: await endSessions(db, actor, operator.id) },
    headers: clearSessionCookie(isSecure),
  }),
}
