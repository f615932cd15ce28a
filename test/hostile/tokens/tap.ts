import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy in front of a database, which counts the bytes sent to it. */
export interface Tap {
  /** The URL of the database through the proxy. */
  url: string
  /** Bytes sent to the database so far. */
  bytes(): number
  /** Waits until no query has been sent for a moment, up to a limit. */
  quiet(): Promise<void>
  close(): void
}

const momentMs = 100
const maxMoments = 50
/** The Terminate message of a connection that the pool closes. */
const farewell = Buffer.from([0x58, 0, 0, 0, 4])

export async function tapInto(databaseUrl: string): Promise<Tap> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  let bytes = 0
  const server = createServer((from) => {
    const to = connect(Number(target.port), target.hostname)
    for (const socket of [from, to]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    from.on('data', (chunk) => {
      if (!chunk.equals(farewell)) bytes += chunk.length
    })
    from.pipe(to).pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    bytes: () => bytes,
    quiet: async () => {
      for (let moment = 0, before = -1; moment < maxMoments && before !== bytes; moment++) {
        before = bytes
        await sleep(momentMs)
      }
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
