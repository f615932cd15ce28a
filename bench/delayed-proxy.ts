import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DelayedProxy {
  port: number
  stop(): Promise<void>
}

/**
 * Proxies a server on this machine with a delay in each direction, to simulate network latency: a
 * round trip takes twice the delay. Timers of one length end in the order in which they began, so bytes stay in order.
 */
export async function startDelayedProxy(
  target: { host: string; port: number },
  delayMs: number,
): Promise<DelayedProxy> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true, noDelay: true })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    pass(client, upstream, delayMs)
    pass(upstream, client, delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function pass(from: Socket, to: Socket, delayMs: number): void {
  const later = (work: () => void) => {
    setTimeout(() => {
      if (!to.destroyed) work()
    }, delayMs)
  }
  from.on('data', (bytes) =>
    later(() => {
      if (to.write(bytes)) return
      from.pause()
      to.once('drain', () => from.resume())
    }),
  )
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
  from.on('close', (hadError) => hadError && to.destroy())
}
