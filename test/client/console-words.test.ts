import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokenLifetime, tokenValues, webhookValues } from '../../src/domain/audit/estate-audit.ts'
import { undoRules } from '../../src/domain/audit/undo.ts'
import { facilityKeys } from '../../src/domain/estate.ts'
import { settingNames } from '../../src/domain/setting.ts'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'

const root = join(import.meta.dirname, '../..')
const load = (path: string) => import(join(root, 'console/src', path))

/** Problem codes in the CMS document. */
function cmsCodes(): string[] {
  const codes = new Set<string>()
  JSON.parse(readFileSync(join(root, 'docs/cms-openapi.json'), 'utf8'), (key, value) => {
    if (key === 'code' && Array.isArray(value?.enum)) for (const code of value.enum) codes.add(code)
    return value
  })
  return [...codes]
}

test('every refusal of the CMS has a title in English and in French', async () => {
  const { problemWords } = await load('parts/problem-words.ts')
  const codes = cmsCodes()
  assert.ok(codes.length > 50)
  for (const code of codes) {
    assert.ok(problemWords.en[code], code)
    assert.ok(problemWords.fr[code], code)
  }
})

test('every reason why an audit entry cannot be undone has a French text', async () => {
  const { faultIn, knownFault } = await load('parts/fault-words.ts')
  const since = 'has changed again since: nothing was undone.'
  const details = [
    ...Object.values(undoRules).flatMap((rule) => ('never' in rule ? [rule.never] : [])),
    'A sandbox is restored only as a whole: reset it.',
    'This entry does not say all that it changed: it was written by an earlier version.',
    'This needs the role admin; yours is viewer.',
    'The token is revoked, which cannot be undone.',
    'The token was removed with its partner.',
    'The operator has been removed.',
    'Partner acme has tokens, webhooks or a sandbox by now: remove the partner itself.',
    'A grant of partner acme names facility lyon-01: take it away first.',
    ...[`"name" of lyon-01 ${since}`, `"name" of partner acme ${since}`, `"many_refused" of the settings ${since}`],
    ...[
      `The list of lyon-01 ${since}`,
      `Room lyon-01-101 ${since}`,
      `Partner acme ${since}`,
      `Facility lyon-01 ${since}`,
    ],
    ...[`Room lyon-01-101 has been opened: it ${since}`, `Facility lyon-01 exists: it ${since}`],
  ]
  for (const detail of details) assert.ok(knownFault('fr', detail), detail)
  assert.equal(
    knownFault('fr', `"ssid_public" of lyon-01 ${since}`),
    '«\u00a0Réseau Wi-Fi public\u00a0» de lyon-01 a encore changé depuis\u00a0: rien n’a été annulé.',
  )
  assert.equal(faultIn('en', `"grants" of partner acme ${since}`), `"Permissions" of partner acme ${since}`)
  assert.equal(
    knownFault('fr', `The list of lyon-01 ${since}`),
    'La liste de lyon-01 a encore changé depuis\u00a0: rien n’a été annulé.',
  )
})

test('every property that the audit log records has a label in English and in French', async () => {
  const { labelOf } = await load('changes/property-words.ts')
  const names = [
    ...Object.values(facilityKeys),
    ...Object.keys(tokenValues({ name: '', expiresAt: null, allowedRanges: [] })),
    ...Object.keys(tokenLifetime({ expiresAt: null, revokedAt: null, successor: null })),
    ...Object.keys(webhookValues({ url: '', types: '*', own: false, disabledAt: null })),
    ...settingNames,
    ...['id', 'areas_autocomplete_list', 'grants', 'contract', 'rate_limit', 'webhooks', 'rotate_by', 'cycle', 'email'],
  ]
  for (const name of names) for (const language of ['en', 'fr']) assert.notEqual(labelOf(name, language), name, name)
})

test('every request of partners that needs a permission says what it does, in English and in French', async () => {
  const { actionOf, routeWords } = await load('pages/partners/route-words.ts')
  const needing = partnerEndpoints.filter(({ path, right }) => right !== undefined || path.includes('ExternalId'))
  assert.ok(needing.length > 20)
  for (const { method, path } of needing) {
    for (const language of ['en', 'fr']) assert.ok(actionOf(method, path, routeWords[language]), `${method} ${path}`)
  }
})

test('faults are reworded in either language, also those that follow their place in a file', async () => {
  const { faultIn } = await load('parts/fault-words.ts')
  assert.equal(faultIn('en', 'There is no area 12 in this facility.'), 'There is no room 12 in this facility.')
  assert.equal(faultIn('fr', 'name: must be 1 to 255 characters'), 'name\u00a0: doit avoir de 1 à 255 caractères')
  assert.equal(faultIn('fr', 'The URL must have at most 2,048 characters.'), 'doit avoir au plus 2\u202f048 caractères')
  assert.equal(faultIn('fr', 'The key is unknown, expired or revoked.'), 'La clé est inconnue, expirée ou révoquée.')
  assert.equal(faultIn('fr', 'Something new.'), 'Something new.')
})

const texts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return texts(value('x', 'y', 'z'))
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

/** Returns all texts of the console in one language. */
async function allTexts(language: 'en' | 'fr'): Promise<string[]> {
  const files = globSync('**/*words.ts', { cwd: join(root, 'console/src') })
  assert.ok(files.length > 20)
  const tables = await Promise.all(files.filter((file) => !/fault-words|define-words/.test(file)).map(load))
  return tables.flatMap((table) =>
    Object.values(table).flatMap((words) => texts((words as Record<string, unknown>)[language])),
  )
}

test('French has typographic apostrophes and spaces that do not break', async () => {
  const wrong = (await allTexts('fr')).filter((text) =>
    /\p{L}'\p{L}| [;:!?»](?!\S)|« | …|(?<!\{|: )\bids?\b/u.test(text),
  )
  assert.deepEqual(wrong, [])
})

test('English has one word for each thing', async () => {
  const others =
    /\bareas?\b|\bgrants?\b|\brights?\b|kept out|\blook\b|e-mail| …|\bmade\b|at once|switched|go(es)? for good/i
  const wrong = (await allTexts('en')).filter((text) => others.test(text) || /(?<!\{|: )\bids?\b/.test(text))
  assert.deepEqual(wrong, [])
})

test('French has one word for each thing', async () => {
  const others = /\bdroits?\b|\bzones?\b|\bemail\b|\bvue installateur\b/i
  assert.deepEqual(
    (await allTexts('fr')).filter((text) => others.test(text)),
    [],
  )
})
