import { join } from 'node:path'
import { watchMemory } from '../atrium.ts'
import type { Peer } from '../peers/peer.ts'
import type { Progress } from '../progress.ts'
import { works } from '../work.ts'
import { type LoadWork, measureWork } from './back-to-back.ts'
import type { Context } from './context.ts'
import { amount } from './start.ts'

const list = join(import.meta.dirname, '../peers/peers.ts')

/** One after the other. A peer that cannot be installed or fails is named with its reason, and the others go on. */
export async function measurePeers(context: Context, progress: Progress, wanted: (name: string) => boolean) {
  const { peers } = (await import(list)) as { peers: Peer[] }
  for (const peer of peers) {
    progress.step(peer.name)
    try {
      await measurePeer(context, peer, progress, wanted)
    } catch (error) {
      const skipped = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
      progress.say(`${peer.name}: ${skipped}`)
      context.add({ ...amount(context, 'load', 'MB', []), peer: peer.name, skipped })
    }
  }
}

async function measurePeer(context: Context, peer: Peer, progress: Progress, wanted: (name: string) => boolean) {
  const running = await peer.start(context.estate, progress.say)
  try {
    const memory = watchMemory(running.pid)
    const chosen = works.filter((work): work is LoadWork => work !== 'COLD' && wanted(work))
    const subject = { url: running.url, pid: running.pid, peer: peer.name, asking: running }
    for (const work of chosen) {
      progress.step(`${peer.name} ${running.version}: ${work}`)
      await measureWork({ context, subject }, work)
    }
    const { target: _, ...figure } = amount(context, 'load', 'MB', [memory.stop()])
    context.add({ ...figure, peer: peer.name, details: { version: running.version } })
  } finally {
    await running.stop()
  }
}
