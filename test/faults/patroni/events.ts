import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../harness/workers.ts'
import type { PatroniCluster } from './cluster.ts'
import type { Member } from './member.ts'

const frozenMs = 12_000

/** What happens to the cluster; when it has ended, what was broken for it is whole again. */
export type Event = (cluster: PatroniCluster, leader: Member) => Promise<void>

export const events: Record<string, Event> = {
  restart: (_cluster, leader) => wish(leader, 'restart', {}),

  'partition of the primary': async (cluster, leader) => {
    leader.host.setCut(true)
    await untilReplaced(cluster, leader)
    leader.host.setCut(false)
  },

  switchover: async (cluster, leader) => {
    await wish(leader, 'switchover', { leader: leader.name })
    await untilReplaced(cluster, leader)
  },

  'SIGSTOP of the primary': async (_cluster, leader) => {
    leader.signal('SIGSTOP')
    await sleep(frozenMs)
    leader.signal('SIGCONT')
  },

  'kill of the primary': async (_cluster, leader) => leader.signal('SIGKILL'),

  'failover after a kill of the primary and its Patroni': async (cluster, leader) => {
    await leader.killPatroni()
    leader.signal('SIGKILL')
    await untilReplaced(cluster, leader)
    leader.startPatroni(cluster.members)
  },

  'etcd away': async (cluster) => {
    await Promise.all(cluster.members.map((member) => member.killEtcd()))
    await until('the primary gives up without etcd', async () => !(await cluster.takesWrites()))
    for (const member of cluster.members) member.startEtcd(cluster.members)
  },

  'partition of the primary from the others only': async (cluster, leader) => {
    leader.host.setApart(true)
    await untilReplaced(cluster, leader)
    leader.host.setApart(false)
  },
}

/** 503 means that it is under way and takes longer than Patroni waits for it. */
async function wish(member: Member, what: string, how: object): Promise<void> {
  const { status, text } = await member.ask(what, how)
  if (status !== 200 && status !== 503) throw new Error(`Patroni answered ${what} with ${status}: ${text}`)
}

async function untilReplaced(cluster: PatroniCluster, old: Member): Promise<void> {
  const isReplaced = async () => (await cluster.leader()) !== old && cluster.takesWrites()
  await until(`${old.name} is replaced as the leader`, isReplaced)
}
