import { booleanValue, nullable } from '../../../estate/check.ts'
import {
  changeOperator,
  createOperator,
  findOperators,
  readOperator,
  removeOperator,
} from '../../../operations/access/operator.ts'
import { createSignInLink } from '../../../operations/access/sign-in.ts'
import { Type } from '../../schema.ts'
import { dateTime, flag, text } from '../../schema-parts.ts'
import type { OperatorEndpoint } from '../endpoint.ts'
import { email, members, newPassword, personName, role } from '../fields.ts'
import { operatorExample, operatorView } from './operator-view.ts'

const common = { tag: 'Operators', role: 'admin' } as const
const one = { description: 'The operator.', schema: Type.Ref('Operator'), example: operatorExample }
const fields = { email: text('E-mail address.'), name: text('Name.'), role: text('Role.') }

export const listOperators: OperatorEndpoint = {
  ...common,
  method: 'GET',
  path: '/cms/v1/operators',
  operationId: 'listOperators',
  summary: 'List the operators',
  description: 'All of them, ordered by e-mail address.',
  response: {
    description: 'The operators.',
    schema: Type.Array(Type.Ref('Operator')),
    example: [operatorExample],
  },
  refusals: [],
  handle: async ({ db }) => ({ body: (await findOperators(db)).map(operatorView) }),
}

const newOperator = members({ email, name: personName, role, password: nullable(newPassword) }, [
  'email',
  'name',
  'role',
])

export const postOperator: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/operators',
  operationId: 'createOperator',
  summary: 'Add an operator',
  description: 'Without a password, the operator signs in with a link or through OpenID Connect.',
  body: {
    schema: Type.Object({ ...fields, password: Type.Optional(text('Password; at least ten characters.')) }),
    example: { email: 'ada@example.com', name: 'Ada Martin', role: 'editor', password: 'a short sentence is good' },
  },
  response: one,
  refusals: ['operator_exists'],
  handle: async ({ db, actor, read }) => {
    const { password = null, ...draft } = await read(newOperator)
    return { body: operatorView(await createOperator(db, actor, { ...draft, password })) }
  },
}

export const getOperator: OperatorEndpoint = {
  ...common,
  method: 'GET',
  path: '/cms/v1/operators/{operatorId}',
  operationId: 'getOperator',
  summary: 'Get an operator',
  description: 'One operator.',
  response: one,
  refusals: ['operator_not_found'],
  handle: async ({ db, params }) => ({ body: operatorView(await readOperator(db, params.operatorId)) }),
}

const operatorChange = members({
  email,
  name: personName,
  role,
  password: newPassword,
  disabled: booleanValue,
})

export const patchOperator: OperatorEndpoint = {
  ...common,
  method: 'PATCH',
  path: '/cms/v1/operators/{operatorId}',
  operationId: 'changeOperator',
  summary: 'Change an operator',
  description: 'A new password, or disabling the operator, ends all sessions of the operator at once.',
  conditional: true,
  body: {
    schema: Type.Partial(
      Type.Object({
        ...fields,
        password: text('The new password.'),
        disabled: flag('Whether the operator is disabled and cannot sign in.'),
      }),
    ),
    example: { role: 'viewer' },
  },
  response: one,
  refusals: ['operator_not_found', 'operator_exists', 'last_admin'],
  handle: async ({ db, actor, params, read, expects }) => {
    const change = await read(operatorChange)
    const expect = expects(operatorView)
    return { body: operatorView(await changeOperator(db, actor, params.operatorId, change, expect)) }
  },
}

export const deleteOperator: OperatorEndpoint = {
  ...common,
  method: 'DELETE',
  path: '/cms/v1/operators/{operatorId}',
  operationId: 'removeOperator',
  summary: 'Remove an operator',
  description: 'Sessions and keys of the operator end at once. Entries in the audit log stay.',
  conditional: true,
  response: { ...one, description: 'The operator before the removal.' },
  refusals: ['operator_not_found', 'last_admin'],
  handle: async ({ db, actor, params, expects }) => ({
    body: operatorView(await removeOperator(db, actor, params.operatorId, expects(operatorView))),
  }),
}

export const postOperatorLink: OperatorEndpoint = {
  ...common,
  method: 'POST',
  path: '/cms/v1/operators/{operatorId}/link',
  operationId: 'makeSignInLink',
  summary: 'Create a sign-in link for an operator',
  description: 'For a first sign-in or a forgotten password. The link works once, within an hour.',
  response: {
    description: 'The link, relative to the address of the installation.',
    schema: Type.Object({
      path: text('Path of the console; the fragment after `#` is the secret.'),
      expires_at: dateTime('When the link expires.'),
    }),
    example: { path: `/console/sign-in#link=${'x'.repeat(43)}`, expires_at: '2026-11-15T09:30:00.000Z' },
  },
  refusals: ['operator_not_found'],
  handle: async ({ db, actor, params }) => {
    const { secret, expiresAt } = await createSignInLink(db, actor, params.operatorId)
    return { body: { path: `/console/sign-in#link=${secret}`, expires_at: expiresAt } }
  },
}
