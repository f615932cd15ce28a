import { type AtriumNode, startNode } from '../../torture/node.ts'
import { RoomOracle } from '../../torture/room-oracle.ts'
import { Wire } from '../../torture/wire.ts'

export interface Target {
  wire: Wire
  /** What its rooms must contain. */
  oracle: RoomOracle
  tokens: Record<string, string>
  /** Whether it still runs. One that exited is restarted, so that the request can be minimized. */
  isAlive(): Promise<boolean>
  end(): Promise<void>
}

export async function targetOf(
  build: string,
  settings: Record<string, string>,
  tokens: Record<string, string>,
  drop: () => Promise<void>,
): Promise<Target> {
  const start = (): Promise<AtriumNode> => startNode(build, { settings })
  let node = await start()
  const target: Target = {
    wire: new Wire(node.url),
    oracle: new RoomOracle(),
    tokens,
    isAlive: async () => {
      if (node.child.exitCode === null && node.child.signalCode === null) return true
      node = await start()
      target.wire = new Wire(node.url)
      return false
    },
    end: async () => {
      target.wire.close()
      await node.end('SIGKILL')
      await drop()
    },
  }
  return target
}
