import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signedIn } from './console.ts'
import { atDesks, becomes, type Desk } from './desk.ts'

const payloads = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<body onload=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  'javascript:alert(1)',
  '<style>@import "javascript:alert(1)"</style>',
  '<div style="background:url(javascript:alert(1))">',
  '<link rel=stylesheet href="data:text/css,*{}">',
  '<base href="https://elsewhere.example/">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '<template><script>alert(1)</script></template>',
  '{{constructor.constructor("alert(1)")()}}',
  '$' + '{alert(1)}',
  "');alert(1);//",
]

const each = <T>(make: (text: string, at: number) => T): T[] => payloads.map(make)

/** Every text that operators or partners write, thirty times. */
function steps(): [request: string, body: object][] {
  const areas = each((text, at) => ({ id: `${at + 100}`, name: text, data_general: [{ floor: text }] }))
  const devices = each((text, at) => ({ id: `d${at}`, type: text, model: text, serial: text, status: text }))
  const services = each((text) => ({ code: text.slice(0, 64), label: text, status: text }))
  const contract = { title: payloads[3], $comment: payloads[6] }
  const address = (text: string) => ({ street: text, postal_code: text, city: text, region: text, country: 'FR' })
  return [
    ...each<[string, object]>((text, at) => [
      'POST /cms/v1/facilities',
      {
        id_external: `c-${at}`,
        name: text,
        address: address(text),
        room_services: true,
        ssid_public: text.slice(0, 32),
      },
    ]),
    ['PATCH /cms/v1/facilities/c-3', { devices }],
    ['PATCH /cms/v1/facilities/c-3', { name: payloads[4] }],
    ['POST /cms/v1/facilities/c-3/areas', { areas }],
    ['PUT /cms/v1/facilities/c-3/list', { entries: areas.map(({ id, name }) => ({ id, name })).reverse() }],
    ['POST /cms/v1/areas/c-3-100/services', { services }],
    ...each<[string, object]>((name, at) => ['POST /cms/v1/partners', { id: `c-${at}`, name, contract }]),
    ...each<[string, object]>((name) => ['POST /cms/v1/partners/c-3/tokens', { name }]),
    ...each<[string, object]>((name, at) => [
      'POST /cms/v1/operators',
      { name, email: `c${at}@example.com`, role: 'viewer' },
    ]),
    ...each<[string, object]>((name) => ['POST /cms/v1/keys', { name }]),
  ]
}

const pages = [
  '/facilities',
  '/facilities/c-3',
  '/facilities/c-3?view=grid',
  '/facilities/c-3?room=100',
  '/facilities/c-3?tab=list',
  '/facilities/c-3?tab=devices',
  '/facilities/c-3?tab=history',
  '/facilities/c-3?tab=settings',
  '/partners',
  '/partners/c-3',
  '/partners/c-3?tab=contract',
  '/partners/c-3?tab=tokens',
  '/access?partner=everything&method=GET&path=/v1/facilities/c-3',
  '/audit?facility=c-3',
  '/install?facility=c-3',
  '/settings',
  '/settings?tab=keys',
]

const strange = '#root :is(script, iframe, object, embed, base, meta, [onerror], [onload], [onfocus], [ontoggle])'

async function plant({ ask }: Desk): Promise<void> {
  for (const [request, body] of steps()) {
    const answer = await ask(request, body)
    assert.equal(answer.status, 200, `${request}: ${answer.text}`)
  }
}

atDesks(
  'thirty scripts in every text',
  (desk) => {
    test('are stored as they are', () => plant(desk()))

    describe('are shown as text', () => {
      for (const path of pages) {
        test(path, async () => {
          const page = await desk().visit(path)
          const shown = page.getByText(/alert\(1\)/).or(page.locator('input[value*="alert(1)"]'))
          await shown.first().waitFor({ state: 'attached' })
          assert.equal(await page.locator(strange).count(), 0)
        })
      }
    })

    test('and a policy without inline scripts would stop and report them', async () => {
      const { headers } = await desk().atrium.ask('GET /console/')
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
      assert.doesNotMatch(policy, /unsafe/)
      const { page, complaints, context } = await signedIn(desk().atrium, desk().browser, 'viewer')
      await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
      await becomes(async () => complaints.some((line) => line.startsWith('the policy stopped')), true)
      assert.deepEqual(
        complaints.filter((line) => line.startsWith('a dialog')),
        [],
      )
      await context.close()
    })
  },
  { which: ['sqlite'] },
)
