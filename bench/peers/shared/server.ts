import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { end, start } from '../../processes.ts'

export interface ServerOptions {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
  /** File for its output. */
  log: string
  /** Polled until it responds 2xx. */
  health: string
}

const readyTimeoutSeconds = 120

/** Starts a peer's server and resolves once it serves; leaves nothing running when it throws. */
export async function startServer({ command, args, cwd, env, log, health }: ServerOptions): Promise<ChildProcess> {
  const output = openSync(log, 'w')
  const stdio: ['ignore', number, number] = ['ignore', output, output]
  const child = start(command, args, { cwd, stdio, env: { ...inherited(), NODE_ENV: 'production', ...env } })
  closeSync(output)
  const failure = new Promise<never>((_, reject) => child.on('error', reject))
  try {
    await Promise.race([failure, untilHealthy(child, health)])
    return child
  } catch (error) {
    await end(child).catch(() => {})
    const lines = readFileSync(log, 'utf8').split('\n')
    const said = lines.find((line) => /error/i.test(line)) ?? lines.findLast((line) => line.trim() !== '') ?? 'nothing'
    throw new Error(`${error instanceof Error ? error.message : error}; it said: ${said.slice(0, 300)}`)
  }
}

async function untilHealthy(child: ChildProcess, health: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutSeconds * 1000
  for (;;) {
    const ok = await fetch(health).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it was ready`)
    if (Date.now() > deadline) throw new Error(`the server was not ready after ${readyTimeoutSeconds} s`)
    await sleep(100)
  }
}

/** Settings of a peer must not be inherited from the environment of the benchmark. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.on('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
  })
  return promise
}
