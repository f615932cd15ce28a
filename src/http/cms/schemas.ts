import { roles } from '../../domain/access/operator.ts'
import { SandboxForOperators } from '../sandbox-view.ts'
import { Type } from '../schema.ts'
import { areaSchemas } from './estate/area-schemas.ts'
import { facilitySchemas } from './estate/facility-schemas.ts'
import { figureSchemas } from './logs/figures.ts'
import { logSchemas } from './logs/log-schemas.ts'
import { partnerSchemas } from './partners/partner-schemas.ts'
import { operatorWebhookSchemas } from './partners/webhook-schemas.ts'
import { dateTime, nullableText, nullableTime, text } from './schema-parts.ts'
import { settingSchemas } from './settings.ts'

/** The objects of `/cms/v1`, named as in its OpenAPI document. */

const role = {
  type: 'string',
  enum: [...roles],
  description: '`admin` may do everything, `editor` keeps facilities, rooms and lists, `viewer` reads.',
}

export const Operator = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    email: text('The address they sign in with.'),
    name: text('What they are called.'),
    role,
    has_password: Type.Boolean({ description: 'Whether they can sign in with a password.' }),
    date_created: dateTime('When they were added.'),
    date_disabled: nullableTime('Since when they cannot sign in.'),
  },
  { $id: 'Operator', description: 'Somebody who keeps the estate.' },
)

export const Session = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    current: Type.Boolean({ description: 'Whether this request came with it.' }),
    date_created: dateTime('When they signed in.'),
    last_used: dateTime('When it was last used, to the minute.'),
    expires_at: dateTime('When it ends if it is not used.'),
    address: nullableText('Where they signed in from.'),
    agent: nullableText('What the browser says of itself.'),
  },
  { $id: 'Session', description: 'A browser in which an operator is signed in.' },
)

export const SignedIn = Type.Object(
  {
    operator: Type.Ref('Operator'),
    via: { type: 'string', enum: ['session', 'key'], description: 'How the request came.' },
    expires_at: nullableTime('When the session ends if it is not used; null for a key.'),
  },
  { $id: 'SignedIn', description: 'Who is asking.' },
)

export const Key = Type.Object(
  {
    id: text('The public part.'),
    operator: Type.String({ format: 'uuid', description: 'Whose key it is; it may do what they may.' }),
    name: text('What it is for.'),
    date_created: dateTime('When it was made.'),
    expires_at: nullableTime('When it ends; null for never.'),
    revoked_at: nullableTime('When it was ended.'),
    last_used: nullableTime('When it was last used, to the minute.'),
    allowed_ranges: Type.Array(Type.String(), { description: 'Address ranges it is accepted from; empty for all.' }),
  },
  { $id: 'Key', description: "An operator's key, for scripts." },
)

export const IssuedKey = Type.Object(
  { key: Type.Ref('Key'), secret: text('The key itself. It is shown this once.') },
  { $id: 'IssuedKey', description: 'A new key.' },
)

export const Ended = Type.Object(
  { ended: Type.Integer({ description: 'How many sessions ended.' }) },
  { $id: 'Ended', description: 'Sessions that ended.' },
)

export const cmsComponents = {
  ...areaSchemas,
  ...facilitySchemas,
  ...partnerSchemas,
  ...operatorWebhookSchemas,
  Sandbox: SandboxForOperators,
  ...logSchemas,
  ...settingSchemas,
  ...figureSchemas,
  Operator,
  Session,
  SignedIn,
  Key,
  IssuedKey,
  Ended,
}
