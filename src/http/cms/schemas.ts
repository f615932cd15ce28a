import { roles } from '../../domain/access/operator.ts'
import { SandboxForOperators } from '../sandbox-view.ts'
import { Type } from '../schema.ts'
import { areaSchemas } from './estate/area-schemas.ts'
import { facilitySchemas } from './estate/facility-schemas.ts'
import { verificationSchemas } from './files/audit.ts'
import { figureSchemas } from './logs/figures.ts'
import { logSchemas } from './logs/log-schemas.ts'
import { partnerSchemas } from './partners/partner-schemas.ts'
import { operatorWebhookSchemas } from './partners/webhook-schemas.ts'
import { dateTime, nullableText, nullableTime, text } from './schema-parts.ts'
import { settingSchemas } from './settings.ts'

const role = {
  type: 'string',
  enum: [...roles],
  description: '`admin` may do everything, `editor` manages facilities, rooms and lists, `viewer` reads.',
}

export const Operator = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    email: text('Address for signing in.'),
    name: text('Name.'),
    role,
    has_password: Type.Boolean({ description: 'Whether a password is set.' }),
    date_created: dateTime('When the operator was added.'),
    date_disabled: nullableTime('When the operator was disabled; null otherwise.'),
  },
  { $id: 'Operator', description: 'A person who manages the estate.' },
)

export const Session = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
    date_created: dateTime('When the operator signed in.'),
    last_used: dateTime('When it was last used, to the minute.'),
    expires_at: dateTime('When it ends unless it is used.'),
    address: nullableText('IP address at the sign-in.'),
    agent: nullableText('User-Agent of the browser.'),
  },
  { $id: 'Session', description: 'A browser in which an operator is signed in.' },
)

export const SignedIn = Type.Object(
  {
    operator: Type.Ref('Operator'),
    via: { type: 'string', enum: ['session', 'key'], description: 'How the request was authenticated.' },
    expires_at: nullableTime('When the session ends unless it is used; null for a key.'),
  },
  { $id: 'SignedIn', description: 'The authenticated operator.' },
)

export const Key = Type.Object(
  {
    id: text('Public id.'),
    operator: Type.String({ format: 'uuid', description: 'Owner of the key, whose role it has.' }),
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

export const IssuedKey = Type.Object(
  { key: Type.Ref('Key'), secret: text('The key itself, shown only in this response.') },
  { $id: 'IssuedKey', description: 'A new key.' },
)

export const Ended = Type.Object(
  { ended: Type.Integer({ description: 'Number of sessions that ended.' }) },
  { $id: 'Ended', description: 'Result of signing out.' },
)

export const cmsComponents = {
  ...areaSchemas,
  ...facilitySchemas,
  ...partnerSchemas,
  ...operatorWebhookSchemas,
  Sandbox: SandboxForOperators,
  ...logSchemas,
  ...verificationSchemas,
  ...settingSchemas,
  ...figureSchemas,
  Operator,
  Session,
  SignedIn,
  Key,
  IssuedKey,
  Ended,
}
