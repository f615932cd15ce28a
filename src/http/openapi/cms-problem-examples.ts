import { Refusal } from '../../domain/refusal.ts'

export const cmsSamples = {
  sign_in_required: new Refusal('sign_in_required', 'Sign in, or send an operator key.'),
  sign_in_refused: new Refusal('sign_in_refused', 'The e-mail address or the password is incorrect.'),
  sign_in_slowed: new Refusal('sign_in_slowed', 'Too many attempts: wait 8 seconds, then try again.', {
    retryAfterSeconds: 8,
  }),
  single_sign_on_failed: new Refusal(
    'single_sign_on_failed',
    'This sign-in was started more than ten minutes ago, or in another browser: start it again.',
  ),
  single_sign_on_unavailable: new Refusal(
    'single_sign_on_unavailable',
    'The single sign-on provider cannot be reached, or responds with an error. Try again later, or sign in with a password or a link.',
    { retryAfterSeconds: 5 },
  ),
  key_invalid: new Refusal('key_invalid', 'The key is unknown, expired or revoked.'),
  key_not_found: new Refusal('key_not_found', 'There is no key with this id.'),
  origin_refused: new Refusal(
    'origin_refused',
    'The request comes from a page of another site, or does not name its origin. Use the console, or an operator key.',
  ),
  role_insufficient: new Refusal('role_insufficient', 'This needs the role admin; yours is viewer.', {
    required: { role: 'admin' },
  }),
  operator_not_found: new Refusal('operator_not_found', 'There is no operator with this id.'),
  operator_exists: new Refusal('operator_exists', 'Another operator has this e-mail address.'),
  last_admin: new Refusal('last_admin', 'This is the last administrator who can sign in: create another one first.'),
  token_exists: new Refusal('token_exists', 'Token 4fT0aZ9q of acme-pms has this hash already.'),
  token_revoked: new Refusal('token_revoked', 'This key is revoked, which cannot be undone: create a new one.'),
  facility_exists: new Refusal('facility_exists', 'A facility with this id exists already.'),
  partner_not_found: new Refusal('partner_not_found', 'There is no partner with this id.'),
  partner_exists: new Refusal('partner_exists', 'A partner with this id exists already.'),
  token_not_found: new Refusal('token_not_found', 'There is no token with this id.'),
  sandbox_exists: new Refusal('sandbox_exists', 'This partner has a sandbox already.'),
  sandbox_not_found: new Refusal('sandbox_not_found', 'This partner has no sandbox.'),
  area_exists: new Refusal('area_exists', 'Nothing was added: 101 is in the facility already.'),
  range_invalid: new Refusal('range_invalid', 'A range is written like 101-140 or A01-A20, with at most 5000 ids.'),
  device_not_found: new Refusal('device_not_found', 'There is no device with this id in the facility.'),
  audit_entry_not_found: new Refusal('audit_entry_not_found', 'There is no entry with this number.'),
  webhook_disabled: new Refusal('webhook_disabled', 'The webhook is disabled. Enable it instead.'),
  undo_impossible: new Refusal(
    'undo_impossible',
    'Secrets are not stored, so a revoked or deleted one cannot be restored: create a new one.',
  ),
  undo_overtaken: new Refusal(
    'undo_overtaken',
    '"grants" of partner acme-pms has changed again since: nothing was undone.',
  ),
  estate_conflict: new Refusal('estate_conflict', 'Nothing was changed: the full id "lyon-01-1" would mean two areas.'),
} satisfies Partial<Record<Refusal['code'], Refusal>>
