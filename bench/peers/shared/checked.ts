import { rmSync } from 'node:fs'
import type { BenchEstate } from '../../estate/shape.ts'
import type { RunningPeer } from '../peer.ts'
import { checkPeer, type ResponseReaders } from './check.ts'

/** Returns the peer if it passes the checks; stops it otherwise. `run` is its folder. */
export async function checked(
  peer: RunningPeer,
  readers: ResponseReaders,
  estate: BenchEstate,
  run?: string,
): Promise<RunningPeer> {
  const stop = async () => {
    await peer.stop()
    if (run !== undefined) rmSync(run, { recursive: true, force: true })
  }
  try {
    await checkPeer(peer, readers, estate)
  } catch (error) {
    await stop()
    throw error
  }
  return { ...peer, stop }
}
