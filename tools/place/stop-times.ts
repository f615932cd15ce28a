import { textOf, yamlOf } from './files.ts'

/** Maximum time after the drain in which open requests are completed. */
const finishSeconds = 6
const defaultDrainSeconds = 3

export interface StopTime {
  place: string
  drainSeconds: number
  /** Time after which the service manager kills the node. */
  waitSeconds: number
}

export function stopTimes(): StopTime[] {
  const node = yamlOf('deploy/compose.yaml').services['node-1']
  const pod = yamlOf('deploy/kubernetes/deployment.yaml').spec.template.spec
  const env: { name: string; value: string }[] = pod.containers[0].env
  const unit = textOf('deploy/atrium.service')
  return [
    {
      place: 'compose',
      drainSeconds: Number(node.environment.ATRIUM_DRAIN_SECONDS),
      waitSeconds: Number.parseInt(node.stop_grace_period, 10),
    },
    {
      place: 'kubernetes',
      drainSeconds: Number(env.find(({ name }) => name === 'ATRIUM_DRAIN_SECONDS')?.value),
      waitSeconds: pod.terminationGracePeriodSeconds,
    },
    {
      place: 'systemd',
      drainSeconds: defaultDrainSeconds,
      waitSeconds: Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]),
    },
  ]
}

/** True when the service manager gives a node enough time to drain and complete open requests. */
export function allowsGracefulStop({ drainSeconds, waitSeconds }: StopTime): boolean {
  return waitSeconds > drainSeconds + finishSeconds
}
