import assert from 'node:assert/strict'
import { BlockList, isIPv6 } from 'node:net'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { textOf, yamlOf } from '../../tools/place/files.ts'
import { lintManifest } from '../../tools/place/lint.ts'

const manifest = (name: string) => yamlOf(`deploy/kubernetes/${name}.yaml`)
const pod = () => manifest('deployment').spec.template.spec

/**
 * The formula of docs/guides/postgresql.md: the connections of a process while it searches for the primary, plus those
 * reserved by PostgreSQL.
 */
const connectionsOfNode = readConfig({}).databaseConnections + 2
const reserved = 3

interface Rule {
  to?: { ipBlock?: { cidr: string; except?: string[] }; namespaceSelector?: object }[]
  ports: { protocol: string; port: number; endPort?: number }[]
}

/** Whether a policy allows packets to an address and a port. */
function letsOut(address: string, port: number, protocol = 'TCP'): boolean {
  const rules: Rule[] = manifest('network-policy').spec.egress
  return rules.some(({ to, ports }) => {
    const isPort = ports.some((one) => {
      return one.protocol === protocol && port >= one.port && port <= (one.endPort ?? one.port)
    })
    return isPort && (to === undefined || to.some(({ ipBlock }) => ipBlock !== undefined && isIn(address, ipBlock)))
  })
}

function isIn(address: string, { cidr, except = [] }: { cidr: string; except?: string[] }): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  const within = (ranges: string[]) => {
    const list = new BlockList()
    for (const range of ranges) {
      const [network, prefix] = range.split('/') as [string, string]
      if (isIPv6(network) === isIPv6(address)) list.addSubnet(network, Number(prefix), family)
    }
    return list.check(address, family)
  }
  return within([cidr]) && !within(except)
}

describe('the manifests of Kubernetes', () => {
  test('let webhooks, OpenID, collectors, names and PostgreSQL out', () => {
    assert.ok(letsOut('93.184.216.34', 443))
    assert.ok(letsOut('93.184.216.34', 8443))
    assert.ok(letsOut('2606:2800:220:1::1', 443))
    assert.ok(letsOut('10.0.3.7', 5432))
    assert.ok(letsOut('169.254.20.10', 53, 'UDP'))
    assert.ok(letsOut('169.254.20.10', 53))
  })

  test('let nothing else in to the cluster or to the machine’s own services', () => {
    for (const address of ['10.96.0.1', '172.20.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', 'fd00::1']) {
      for (const port of [80, 443, 6443, 8080, 10250]) assert.ok(!letsOut(address, port), `${address}:${port}`)
    }
  })

  test('document how many connections PostgreSQL must accept', () => {
    const nodes = manifest('autoscaler').spec.maxReplicas + manifest('deployment').spec.strategy.rollingUpdate.maxSurge
    const taken = `${nodes * connectionsOfNode + reserved}`
    assert.ok(textOf('deploy/kubernetes/autoscaler.yaml').includes(`make ${taken}`))
    assert.match(textOf('docs/guides/postgresql.md'), new RegExp(`\\| ${nodes} × 1 \\|.*\\| ${taken} \\|`))
  })

  test('allow a migration an hour before a node is restarted', () => {
    const { periodSeconds, failureThreshold } = pod().containers[0].startupProbe
    assert.ok(periodSeconds * failureThreshold >= 3600)
    assert.ok(manifest('deployment').spec.progressDeadlineSeconds > periodSeconds * failureThreshold)
  })

  test('trust no address that another host can have', () => {
    const env: { name: string; value: string }[] = pod().containers[0].env
    assert.equal(env.find(({ name }) => name === 'ATRIUM_TRUSTED_PROXIES')?.value, '192.0.2.0/24')
  })

  test('take the image from one place, and spread over zones', () => {
    const { images } = manifest('kustomization')
    assert.equal(images.length, 1)
    assert.equal(pod().containers[0].image, images[0].name)
    assert.equal(images[0].newTag, JSON.parse(textOf('package.json')).version)
    const keys = pod().topologySpreadConstraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey)
    assert.ok(keys.includes('topology.kubernetes.io/zone'))
  })

  test('have an Ingress as an example, whose Services are there', async () => {
    const ingress = yamlOf('deploy/kubernetes/examples/ingress.yaml')
    assert.deepEqual(await lintManifest(ingress), [])
    const { service } = ingress.spec.rules[0].http.paths[0].backend
    assert.equal(service.name, manifest('service').metadata.name)
    const other = manifest('service-not-ready')
    assert.equal(ingress.metadata.annotations['nginx.ingress.kubernetes.io/default-backend'], other.metadata.name)
    assert.equal(other.spec.publishNotReadyAddresses, true)
    const monitor = yamlOf('deploy/kubernetes/examples/service-monitor.yaml')
    assert.deepEqual(monitor.spec.selector.matchLabels, manifest('service').metadata.labels)
  })
})

test('the Job that migrates runs what the nodes run', async () => {
  const job = yamlOf('deploy/kubernetes/examples/migrate.yaml')
  assert.deepEqual(await lintManifest(job), [])
  const [image] = manifest('kustomization').images
  assert.equal(job.spec.template.spec.containers[0].image, `${image.newName}:${image.newTag}`)
  const { securityContext, volumes } = pod()
  assert.deepEqual([job.spec.template.spec.securityContext, job.spec.template.spec.volumes], [securityContext, volumes])
})

test('the unit is started again however often it failed, and has an hour for a migration', () => {
  const unit = textOf('deploy/atrium.service')
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
  assert.match(unit, /^Type=notify\nNotifyAccess=all$/m)
  assert.ok(Number(/^TimeoutStartSec=(\d+)$/m.exec(unit)?.[1]) > 3600)
})
