import { type ChildProcess, execFileSync, spawn } from 'node:child_process'

const bridge = `atrium${process.pid % 1e6}`
/** Reserved for benchmarks between networks (RFC 2544): no real host has such an address. */
const net = `198.18.${process.pid % 256}`

/** A network namespace that acts as a separate machine. */
export interface Host {
  address: string
  /** The prefix of a command that runs there, as an unprivileged user. */
  under: string[]
  /** Cuts all traffic, or restores it. */
  setCut(isCut: boolean): void
  /** Cuts only the traffic between cluster members, or restores it. */
  isolate(isIsolated: boolean): void
}

/** Hosts in network namespaces on one bridge. They are removed when this process ends, however it ends. */
export class Network {
  readonly hosts: Host[] = []
  readonly #count: number
  readonly #undertaker: ChildProcess

  constructor(count: number) {
    if (process.getuid?.() !== 0) throw new Error('network namespaces can only be made by root')
    this.#count = count
    this.#undertaker = clearUpAfterwards(Array.from({ length: count }, (_, n) => space(n)))
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('address', 'add', `${net}.254/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (let n = 0; n < count; n++) this.hosts.push(this.#add(n))
  }

  /** Removes it, with all processes in it. */
  remove(): Promise<unknown> {
    this.#undertaker.ref()
    return new Promise((done) => this.#undertaker.once('exit', done).stdin?.end())
  }

  #add(n: number): Host {
    const port = `${bridge}.${n}`
    const inside = ['-n', space(n)]
    ip('netns', 'add', space(n))
    ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space(n))
    ip('link', 'set', port, 'master', bridge, 'up')
    ip(...inside, 'address', 'add', `${addressOf(n)}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip(...inside, 'link', 'set', device, 'up')
    const others = Array.from({ length: this.#count }, (_, other) => addressOf(other)).filter((_, at) => at !== n)
    return {
      address: addressOf(n),
      under: ['ip', 'netns', 'exec', space(n), 'setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'],
      setCut: (isCut) => ip('link', 'set', port, isCut ? 'down' : 'up'),
      isolate: (isIsolated) => {
        for (const other of others) ip(...inside, 'route', isIsolated ? 'add' : 'del', 'blackhole', other)
      },
    }
  }
}

function addressOf(n: number): string {
  return `${net}.${n + 1}`
}

function space(n: number): string {
  return `${bridge}-${n}`
}

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Cleans up when its pipe closes, on request or because this process died. */
function clearUpAfterwards(spaces: string[]): ChildProcess {
  const script = `
    read -r _
    for space in "$@"; do
      while pids=$(ip netns pids "$space") && [ -n "$pids" ]; do kill -9 $pids; sleep 0.1; done
      ip netns del "$space"
      ip link del "$0.\${space##*-}"
    done
    ip link del "$0"`
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const undertaker = spawn('sh', ['-c', script, bridge, ...spaces], { detached: true, stdio: [...stdio] })
  undertaker.unref()
  return undertaker
}
