import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../harness/workers.ts'
import type { PatroniCluster } from './cluster.ts'
import type { Member } from './member.ts'

const frozenMs = 12_000

/**
 * The events that hit the cluster. Each runs until some primary accepts writes again, and returns what repairs the
 * rest.
 */
export type Event = (cluster: PatroniCluster, leader: Member) => Promise<Heal | undefined>
type Heal = () => void

export const events: Record<string, Event> = {
  restart: async (_cluster, leader) => {
    await wish(leader, 'restart', {})
    return undefined
  },

  'partition of the primary': async (cluster, leader) => {
    leader.host.setCut(true)
    await untilReplaced(cluster, leader)
    return () => leader.host.setCut(false)
  },

  switchover: async (cluster, leader) => {
    await wish(leader, 'switchover', { leader: leader.name })
    await untilReplaced(cluster, leader)
    return undefined
  },

  'SIGSTOP of the primary': async (_cluster, leader) => {
    leader.signal('SIGSTOP')
    await sleep(frozenMs)
    leader.signal('SIGCONT')
    return undefined
  },

  'kill of the primary': async (_cluster, leader) => {
    leader.signal('SIGKILL')
    return undefined
  },

  'failover after a kill of the primary and its Patroni': async (cluster, leader) => {
    await leader.killPatroni()
    leader.signal('SIGKILL')
    await untilReplaced(cluster, leader)
    return () => leader.startPatroni(cluster.members)
  },

  'etcd away': async (cluster) => {
    await Promise.all(cluster.members.map((member) => member.killEtcd()))
    await until('the primary gives up without etcd', async () => !(await cluster.takesWrites()))
    for (const member of cluster.members) member.startEtcd(cluster.members)
    return undefined
  },

  'partition of the primary from the others only': async (cluster, leader) => {
    leader.host.isolate(true)
    await untilReplaced(cluster, leader)
    return () => leader.host.isolate(false)
  },
}

/** 412 means not yet possible; 503 means in progress for longer than Patroni waits. */
async function wish(member: Member, what: string, how: object): Promise<void> {
  await until(`Patroni agrees to a ${what}`, async () => {
    const { status, text } = await member.ask(what, how)
    if (![200, 412, 503].includes(status)) throw new Error(`Patroni returned ${status} to a ${what}: ${text}`)
    return status !== 412
  })
}

async function untilReplaced(cluster: PatroniCluster, old: Member): Promise<void> {
  const isReplaced = async () => (await cluster.leader()) !== old && cluster.takesWrites()
  await until(`${old.name} is replaced as the leader`, isReplaced)
}
