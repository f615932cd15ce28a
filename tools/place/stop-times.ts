import { textOf, yamlOf } from './files.ts'

/** What is under way is answered for up to this long after the drain. */
const finishSeconds = 6
const standardDrainSeconds = 3

export interface StopTime {
  place: string
  drainSeconds: number
  /** How long whoever started the node waits before it kills it. */
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
      drainSeconds: standardDrainSeconds,
      waitSeconds: Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]),
    },
  ]
}

/** A node that is killed while it still answers would be seen. */
export function isPatient({ drainSeconds, waitSeconds }: StopTime): boolean {
  return waitSeconds > drainSeconds + finishSeconds
}
