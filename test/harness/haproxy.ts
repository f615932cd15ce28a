import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../../tools/place/files.ts'
import { tool } from '../torture/tool.ts'
import { freePort } from './postgres-program.ts'

/** A common limit of open files for services. */
const filesAtMost = 10_000

export interface HaProxy {
  url: string
  end(): Promise<void>
}

/** Starts the load balancer of deploy/ with other addresses; its nodes need not run. */
export async function startHaProxy(nodePorts: string[]): Promise<HaProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-balancer-'))
  const file = join(folder, 'haproxy.cfg')
  const port = await freePort()
  const nodes = nodePorts.map((node, index) => `  server node-${index + 1} 127.0.0.1:${node}\n`).join('')
  const text = textOf('deploy/haproxy.cfg')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/(^ {2}server node-.*\n)+/m, nodes)
  writeFileSync(file, text)
  const limited = `ulimit -n ${filesAtMost} && exec "$0" -db -f "$1"`
  const child = spawn('bash', ['-c', limited, tool('haproxy'), file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const printed: string[] = []
  child.stderr.setEncoding('utf8').on('data', (piece) => printed.push(piece))
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill()
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true })
  }
  const url = `http://127.0.0.1:${port}`
  while (child.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return { url, end }
    await sleep(50)
  }
  throw new Error(`haproxy ended: ${printed.join('')}`)
}
