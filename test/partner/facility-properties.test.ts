import assert from 'node:assert/strict'
import { type Scenario, scenarios } from '../harness/scenarios.ts'

const at = (property: string) => `PATCH /v1/facilities/lyon-01/${property}`

/** Invalid values by property. */
const refused: Record<string, unknown[]> = {
  name: ['', '   ', 'x'.repeat(256), 'a\nb', 'a\u007fb', 7, null, true, ['Hotel'], { a: 1 }],
  ssid_public: ['', 'x'.repeat(33), 'é'.repeat(17), 'a\u0007', 'tab\t', 0, null, []],
  subscription_url: [
    '',
    'portal.example',
    '//portal.example',
    'ftp://portal.example',
    'javascript:alert(1)',
    'https://',
    'https://user@portal.example',
    'https://u:p@portal.example',
    'https://@portal.example/',
    'http:///x',
    'https://h:99999/',
    'https://a b',
    ' https://portal.example',
    `https://portal.example/${'x'.repeat(2048)}`,
    'https://portal.example/\n',
    null,
    1,
  ],
}

const accepted: Record<string, string[]> = {
  name: ['Hôtel du Parc', '旅館', 'x'.repeat(255), '😀'.repeat(255)],
  ssid_public: ['x', 'é'.repeat(16), ' spaces kept ', '😀😀😀😀😀😀😀😀'],
  subscription_url: ['https://portal.example', 'http://127.0.0.1:8080/a?b=c#d', 'HTTPS://PORTAL.example/é'],
}

for (const property of Object.keys(refused)) {
  scenarios(`PATCH ${property}`, [
    ...(accepted[property] as string[]).map(
      (value): Scenario => ({
        when: `the value is ${JSON.stringify(value).slice(0, 40)}`,
        as: 'everything',
        request: at(property),
        body: { value, ignored: 'yes' },
        status: 200,
        is: { [property]: value },
        check: async (_, { ask }) => {
          const { body } = await ask('GET /v1/facilities/lyon-01/', { as: 'everything' })
          assert.equal(body[property], value)
        },
      }),
    ),
    ...(refused[property] as unknown[]).map(
      (value): Scenario => ({
        when: `the value is ${JSON.stringify(value).slice(0, 40)}, which is refused`,
        as: 'everything',
        request: at(property),
        body: { value },
        status: 400,
        code: 'value_invalid',
        check: ({ body }) => assert.equal(body.errors[0].pointer, '/value'),
      }),
    ),
    { when: 'value is missing', as: 'everything', request: at(property), body: {}, status: 400, code: 'value_missing' },
    {
      when: 'the facility is hidden',
      as: 'ward',
      request: at(property),
      body: { value: 'x' },
      status: 403,
      code: 'facility_not_granted',
    },
    {
      when: 'the facility does not exist',
      as: 'everything',
      request: `PATCH /v1/facilities/none/${property}`,
      body: { value: 'x' },
      status: 404,
      code: 'facility_not_found',
    },
    {
      when: 'writing it is not granted',
      as: 'bare',
      request: at(property),
      body: { value: 'x' },
      status: 403,
      code: 'not_granted',
      has: { required: { facility: 'lyon-01', write: property } },
    },
    {
      when: 'a parameter is sent',
      as: 'everything',
      request: `${at(property)}?dry_run=true`,
      body: { value: 'x' },
      status: 400,
      code: 'parameter_unknown',
    },
    { when: 'there is no token', request: at(property), body: { value: 'x' }, status: 401, code: 'token_missing' },
  ])
}

scenarios('what a change of a property does', [
  {
    when: 'a name is trimmed',
    as: 'hotelier',
    request: at('name'),
    body: { value: '  Hôtel Carnot\u00a0' },
    status: 200,
    is: { name: 'Hôtel Carnot' },
  },
  {
    when: 'the same value again changes nothing, date_updated included',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/',
    status: 200,
    check: async (before, { ask }) => {
      await ask(at('name'), { as: 'everything', body: { value: before.body.name } })
      assert.equal((await ask('GET /v1/facilities/lyon-01/', { as: 'everything' })).text, before.text)
    },
  },
  {
    when: 'a new value moves date_updated',
    as: 'everything',
    request: 'GET /v1/facilities/lyon-01/',
    status: 200,
    check: async (before, { ask }) => {
      await ask(at('name'), { as: 'everything', body: { value: 'Another' } })
      const after = await ask('GET /v1/facilities/lyon-01/', { as: 'everything' })
      assert.ok(after.body.date_updated > before.body.date_updated)
      assert.equal(after.body.date_created, before.body.date_created)
    },
  },
  {
    when: 'with a slash at the end',
    as: 'hotelier',
    request: `${at('name')}/`,
    body: { value: 'Slash' },
    status: 200,
    is: { name: 'Slash' },
  },
])
