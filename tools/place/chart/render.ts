import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { installWithApt } from '../../../bench/programs.ts'
import { tool } from '../../../test/torture/tool.ts'
import { temporaryFolder } from '../../release/folder.ts'
import { lintManifest } from '../lint.ts'
import { type Chart, mergeValues, readChart, unmatchedValues, type Values, valueFaults } from './files.ts'

const libraries = '/usr/share/gocode'
const packages = 'golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev'

// biome-ignore lint/suspicious/noExplicitAny: manifests of others' forms, which their own schemas check
export type Manifest = any

const everything: Values = {
  image: { digest: `sha256:${'0'.repeat(64)}`, pullSecrets: ['atrium-registry'] },
  database: { url: 'postgres://atrium:secret@db:5432/atrium' },
  settings: {
    ATRIUM_PUBLIC_URL: 'https://atrium.example.com',
    ATRIUM_TLS_CERT: '/etc/atrium/tls/tls.crt',
    ATRIUM_MEMORY_BYTES: 536_870_912,
    ATRIUM_DATABASE_WAIT_SECONDS: 0,
    OTEL_TRACES_SAMPLER_ARG: 0.000_01,
    OTEL_SDK_DISABLED: true,
  },
  secretSettings: { ATRIUM_OIDC_CLIENT_SECRET: { name: 'atrium-oidc', key: 'secret' } },
  trustedProxies: ['10.0.0.0/8', '2001:db8::/32'],
  migration: { deadlineSeconds: 1_000_000 },
  ingress: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'x' }, tlsConfig: { serverName: 'atrium.example.com' } },
  networkPolicy: { extraEgress: [{ ports: [{ protocol: 'TCP', port: 3128 }] }] },
  spread: { zones: 'DoNotSchedule' },
  temporarySize: '4Gi',
  extraVolumes: [{ name: 'tls', secret: { secretName: 'atrium-tls' } }],
  extraVolumeMounts: [{ name: 'tls', mountPath: '/etc/atrium/tls', readOnly: true }],
  affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'rooms', operator: 'Exists' }],
  podAnnotations: { note: 'x' },
}
const nothing: Values = {
  autoscaling: { enabled: false },
  migration: { enabled: false },
  networkPolicy: { enabled: false },
}
/** Values with which the chart is rendered, the kinds it makes of them, and environment variables of the pods. */
const cases: [title: string, values: Values, kinds: string, env?: Record<string, string>][] = [
  [
    'defaults',
    {},
    'Deployment HorizontalPodAutoscaler Job NetworkPolicy PodDisruptionBudget Service Service',
    { ATRIUM_DATABASE_WAIT_SECONDS: '60' },
  ],
  [
    'everything on',
    everything,
    'Deployment HorizontalPodAutoscaler Ingress Job NetworkPolicy PodDisruptionBudget Secret Service Service ServiceMonitor',
    {
      ATRIUM_PUBLIC_URL: 'https://atrium.example.com',
      ATRIUM_MEMORY_BYTES: '536870912',
      ATRIUM_DATABASE_WAIT_SECONDS: '0',
      OTEL_TRACES_SAMPLER_ARG: '0.00001',
      OTEL_SDK_DISABLED: 'true',
    },
  ],
  ['everything off', nothing, 'Deployment PodDisruptionBudget Service Service'],
]

/** Renders the chart in each case and checks the manifests with the schemas of the Kubernetes API. */
export async function checkChart(root: string): Promise<string[]> {
  const chart = readChart(root)
  const faults = unmatchedValues(chart)
  for (const [title, given, kinds, env] of cases) {
    const values = mergeValues(chart.values, given)
    const manifests = renderChart(chart, values)
    const made = manifests
      .map(({ kind }) => kind)
      .sort()
      .join(' ')
    const found = [
      ...valueFaults(chart, values),
      ...(made === kinds ? [] : [`it makes ${made}, not ${kinds}`]),
      ...manifests.flatMap((manifest) => wrongVariables(manifest, env ?? {})),
      ...(await Promise.all(manifests.filter(hasSchema).map(lintManifest))).flat(),
    ]
    faults.push(...found.map((fault) => `${title}: ${fault}`))
  }
  return faults
}

function wrongVariables({ kind, spec }: Manifest, env: Record<string, string>): string[] {
  const [container] = spec?.template?.spec.containers ?? []
  if (container === undefined) return []
  const rendered = new Map<string, string>(container.env.map(({ name, value }: Manifest) => [name, value]))
  return Object.entries(env)
    .filter(([name, value]) => rendered.get(name) !== value)
    .map(([name, value]) => `${kind}: ${name} is ${rendered.get(name)}, not ${value}`)
}

/** The operator of Prometheus defines ServiceMonitor, not Kubernetes. */
function hasSchema({ kind }: Manifest): boolean {
  return kind !== 'ServiceMonitor'
}

/** Renders with the libraries of Helm's engine, since no package manager within reach has Helm itself. */
export function renderChart({ manifest, templates }: Chart, values: Values): Manifest[] {
  const go = tool('go', packages)
  if (!existsSync(join(libraries, 'src/sigs.k8s.io/yaml'))) {
    installWithApt(`apt-get -qq install --no-install-recommends -y ${packages}`, `${packages} are missing`)
  }
  using cache = temporaryFolder()
  const release = { Name: 'atrium', Namespace: 'rooms', Service: 'Helm' }
  const chart = { Name: manifest.name, Version: manifest.version, AppVersion: manifest.appVersion }
  const { status, stdout, stderr } = spawnSync(go, ['run', join(import.meta.dirname, 'render.go')], {
    input: JSON.stringify({ templates, values, release, chart }),
    env: {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: libraries,
      GOCACHE: process.env.GOCACHE ?? cache.path,
      HOME: cache.path,
    },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const texts = Object.entries<string>(JSON.parse(stdout)).filter(([name]) => name.endsWith('.yaml'))
  return texts.flatMap(([name, text]) => manifestsIn(name, text))
}

function manifestsIn(name: string, text: string): Manifest[] {
  const documents = [...parseAllDocuments(text)]
  for (const { errors } of documents) if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`)
  return documents.map((document) => document.toJS()).filter(Boolean)
}
