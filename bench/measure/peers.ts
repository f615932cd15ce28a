import { join } from 'node:path'
import { watchMemory } from '../atrium.ts'
import type { Figure } from '../figure.ts'
import type { Peer } from '../peers/peer.ts'
import type { Progress } from '../progress.ts'
import { peerWorks } from '../work.ts'
import { frame, measureWork } from './back-to-back.ts'
import type { Context } from './context.ts'
import { amount } from './start.ts'

const list = join(import.meta.dirname, '../peers/peers.ts')

/** Measures peers one after another. A failure to install a peer or to do a work is reported, and the run continues. */
export async function measurePeers(context: Context, progress: Progress, wanted: (name: string) => boolean) {
  const { peers } = (await import(list)) as { peers: Peer[] }
  for (const peer of peers) {
    progress.step(peer.name)
    await orSkipped(
      () => measurePeer(context, peer, progress, wanted),
      (skipped) => {
        progress.say(`${peer.name}: ${skipped}`)
        context.add({ ...memoryOf(context, peer, []), skipped })
      },
    )
  }
}

async function measurePeer(context: Context, peer: Peer, progress: Progress, wanted: (name: string) => boolean) {
  const running = await peer.start(context.estate, progress.say)
  try {
    const memory = watchMemory(running.pid)
    const chosen = peerWorks.filter(wanted)
    const subject = { url: running.url, pid: running.pid, peer: peer.name, asking: running }
    for (const work of chosen) {
      progress.step(`${peer.name} ${running.version}: ${work}`)
      await orSkipped(
        () => measureWork({ context, subject }, work),
        (skipped) => {
          progress.say(`${peer.name}, ${work}: ${skipped}`)
          context.add({ ...frame(context, subject, work), measured: [], skipped })
        },
      )
    }
    context.add({ ...memoryOf(context, peer, [memory.stop()]), details: { version: running.version } })
  } finally {
    await running.stop()
  }
}

async function orSkipped(measure: () => Promise<void>, skip: (reason: string) => void): Promise<void> {
  try {
    await measure()
  } catch (error) {
    skip((error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '')
  }
}

/** Targets are Atrium's. */
function memoryOf(context: Context, { name: peer }: Peer, megabytes: number[]): Figure {
  const { target: _, ...figure } = amount(context, 'load', 'MB', megabytes)
  return { ...figure, peer }
}
