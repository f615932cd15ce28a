import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** A real proxy for CONNECT on loopback, which connects every request to one port of this machine. */
export class ConnectProxy implements AsyncDisposable {
  /** The targets that were requested. */
  readonly asked: string[] = []
  readonly headers: IncomingHttpHeaders[] = []
  /** The statuses of the next responses; 0 never responds. */
  status = 200
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(port: () => number) {
    this.#server = createServer((_, response) => void response.writeHead(405).end())
    this.#server.on('connection', (socket) => this.#sockets.add(socket.on('error', () => {})))
    this.#server.on('connect', ({ url = '', headers }, socket: Socket) => {
      this.asked.push(url)
      this.headers.push(headers)
      if (this.status === 200) return this.#pass(socket, port())
      if (this.status !== 0) socket.end(`HTTP/1.1 ${this.status} No\r\n\r\ncanary of the proxy`)
    })
  }

  #pass(socket: Socket, port: number): void {
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }
}
