import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mergeValues, readChart, unmatchedValues, type Values, valueFaults } from '../../tools/place/chart/files.ts'
import { root, textOf, yamlOf } from '../../tools/place/files.ts'
import { readProject } from '../../tools/release/names.ts'

const chart = readChart(root)
const { names, version } = readProject(root)

// `npm run check:place` also renders the chart and checks the manifests.
describe('the Helm chart', () => {
  test('uses each value that can be set, and no other', () => {
    assert.deepEqual(unmatchedValues(chart), [])
    const templates = { ...chart.templates, 'ingress.yaml': '{{ .Values.ingress.hots }}' }
    const faults = unmatchedValues({ ...chart, templates })
    assert.ok(faults.includes('ingress.hots has no default'))
    assert.ok(faults.includes('ingress.host is not used'))
  })

  test('has defaults that its schema allows', () => assert.deepEqual(valueFaults(chart, chart.values), []))

  const refused: [title: string, values: Values][] = [
    ['a mistyped name', { ingres: { enabled: true } }],
    ['a mistyped name inside', { ingress: { hosts: 'atrium.example.com' } }],
    ['another database', { database: { url: 'mysql://db/atrium' } }],
    ['the database as a setting', { settings: { ATRIUM_DATABASE: 'postgres://db/atrium' } }],
    ['a variable that is no setting', { settings: { PATH: '/bin' } }],
    ['a secret without a key', { secretSettings: { ATRIUM_OIDC_CLIENT_SECRET: { name: 'oidc' } } }],
    ['a proxy that is no address', { trustedProxies: ['nginx'] }],
    ['a text for a number', { replicas: '2' }],
    ['a digest without its algorithm', { image: { digest: '0'.repeat(64) } }],
    ['a size without a unit', { temporarySize: '256' }],
  ]
  for (const [title, values] of refused) {
    test(`refuses ${title}`, () => assert.ok(valueFaults(chart, mergeValues(chart.values, values)).length > 0))
  }
})

test('versions and names are the same in all files', () => {
  const { version: chartVersion, appVersion } = chart.manifest
  assert.deepEqual([chartVersion, appVersion], [version, version])
  const [image] = yamlOf('deploy/kubernetes/kustomization.yaml').images
  assert.deepEqual([chart.values.image.repository, image.newName], [names.image, names.image])
  assert.equal(JSON.parse(textOf('package.json')).name, names.server)
  const client = JSON.parse(textOf('client/package.json'))
  assert.deepEqual([client.name, client.version], [names.client, version])
  for (const file of ['client/README.md', 'docs/guides/install.md']) {
    const known = file.startsWith('client') ? `from '${names.client}'` : names.image
    assert.ok(textOf(file).includes(known), `${file} names ${known}`)
  }
})
