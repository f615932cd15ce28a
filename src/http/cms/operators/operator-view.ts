import { type Operator, roles } from '../../../domain/access/operator.ts'
import type { OperatorKey } from '../../../domain/access/token.ts'
import type { OperatorSession } from '../../../storage/access/operator-session.ts'
import { Type } from '../../schema.ts'
import { dateTime, flag, nullableText, nullableTime, text, uuid } from '../../schema-parts.ts'

const role = {
  type: 'string',
  enum: [...roles],
  description: '`admin` may do everything, `editor` manages facilities, rooms and lists, `viewer` reads.',
}

const OperatorSchema = Type.Object(
  {
    id: uuid('Identifier.'),
    email: text('Address for signing in.'),
    name: text('Name.'),
    role,
    has_password: flag('Whether a password is set.'),
    date_created: dateTime('When the operator was added.'),
    date_disabled: nullableTime('When the operator was disabled; null otherwise.'),
  },
  { $id: 'Operator', description: 'A person who manages the estate.' },
)

const Session = Type.Object(
  {
    id: uuid('Identifier.'),
    current: flag('Whether this request belongs to it.'),
    date_created: dateTime('When the operator signed in.'),
    last_used: dateTime('When it was last used, to the minute.'),
    expires_at: dateTime('When it ends unless it is used.'),
    address: nullableText('IP address at the sign-in.'),
    agent: nullableText('User-Agent of the browser.'),
  },
  { $id: 'Session', description: 'A browser in which an operator is signed in.' },
)

const SignedIn = Type.Object(
  {
    operator: Type.Ref('Operator'),
    via: { type: 'string', enum: ['session', 'key'], description: 'How the request was authenticated.' },
    expires_at: nullableTime('When the session ends unless it is used; null for a key.'),
  },
  { $id: 'SignedIn', description: 'The authenticated operator.' },
)

const Key = Type.Object(
  {
    id: text('Public id.'),
    operator: uuid('Owner of the key, whose role it has.'),
    name: text('Purpose of the key.'),
    date_created: dateTime('When it was created.'),
    expires_at: nullableTime('When it expires; null for never.'),
    revoked_at: nullableTime('When it was revoked.'),
    last_used: nullableTime('When it was last used, to the minute.'),
    allowed_ranges: Type.Array(Type.String(), {
      description: 'Address ranges from which it is accepted; empty for all.',
    }),
  },
  { $id: 'Key', description: "An operator's key, for scripts." },
)

const IssuedKey = Type.Object(
  { key: Type.Ref('Key'), secret: text('The key itself, shown only in this response.') },
  { $id: 'IssuedKey', description: 'A new key.' },
)

const Ended = Type.Object(
  { ended: Type.Integer({ description: 'Number of sessions that ended.' }) },
  { $id: 'Ended', description: 'Result of signing out.' },
)

export const operatorSchemas = { Operator: OperatorSchema, Session, SignedIn, Key, IssuedKey, Ended }

export const operatorExample = {
  id: '0192f0c1-2d3e-7abc-8def-0123456789ab',
  email: 'ada@example.com',
  name: 'Ada Martin',
  role: 'admin',
  has_password: true,
  date_created: '2026-11-15T08:30:00.000Z',
  date_disabled: null,
}

export const sessionExample = {
  id: '0192f0c1-2d3e-7abc-8def-0123456789ac',
  current: true,
  date_created: '2026-11-15T08:30:00.000Z',
  last_used: '2026-11-15T09:12:00.000Z',
  expires_at: '2026-11-15T21:12:00.000Z',
  address: '192.0.2.10',
  agent: 'Mozilla/5.0',
}

export const signedInExample = { operator: operatorExample, via: 'session', expires_at: sessionExample.expires_at }

export const keyExample = {
  id: '4fT0aZ9q',
  operator: operatorExample.id,
  name: 'nightly import',
  date_created: '2026-11-15T08:30:00.000Z',
  expires_at: null,
  revoked_at: null,
  last_used: null,
  allowed_ranges: [],
}

export const issuedKeyExample = { key: keyExample, secret: `atk_4fT0aZ9q_${'x'.repeat(43)}${'0'.repeat(6)}` }

export function operatorView({ id, email, name, role, hasPassword, createdAt, disabledAt }: Operator) {
  return { id, email, name, role, has_password: hasPassword, date_created: createdAt, date_disabled: disabledAt }
}

export function sessionView(session: OperatorSession, current: string | undefined) {
  const { id, createdAt, lastUsedAt, expiresAt, address, agent } = session
  return {
    id,
    current: id === current,
    date_created: createdAt,
    last_used: lastUsedAt,
    expires_at: expiresAt,
    address,
    agent,
  }
}

export function keyView(key: OperatorKey) {
  const { id, operator, name, createdAt, expiresAt, revokedAt, lastUsedAt, allowedRanges } = key
  return {
    id,
    operator,
    name,
    date_created: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used: lastUsedAt,
    allowed_ranges: allowedRanges,
  }
}
