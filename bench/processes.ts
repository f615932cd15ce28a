import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Processes started by this run; all end with it. */
const running = new Set<ChildProcess>()
const endings: (() => Promise<void>)[] = []

export function start(command: string, args: string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, options)
  running.add(child)
  child.on('exit', () => running.delete(child))
  return child
}

/** Registers cleanup other than ending a process. */
export function atTheEnd(undo: () => Promise<void>): void {
  endings.push(undo)
}

export async function endEverything(): Promise<void> {
  await Promise.all([...running].map(end))
  for (const undo of endings.splice(0).reverse()) await undo().catch(() => {})
}

const timeoutMs = 5000

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await gone
  clearTimeout(killer)
}

let asked = false

/** The run was interrupted by a signal. */
export function isStopped(): boolean {
  return asked
}

/** A first signal ends the run with cleanup, a second one at once. */
export function endOnSignals(): void {
  process.on('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, async () => {
      if (asked) process.exit(code)
      asked = true
      console.error('Stopped: ends what it has started. The report stays as it was.')
      await endEverything()
      process.exit(code)
    })
  }
}

/** Returns the ids of a process and its descendants. */
export function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return [
      pid,
      ...children
        .split(' ')
        .filter(Boolean)
        .flatMap((child) => family(Number(child))),
    ]
  } catch {
    return []
  }
}

/** Returns the resident memory of a process and its children in MB; undefined where /proc is missing. */
export function residentMegabytes(pid: number): number | undefined {
  const kilobytes = family(pid).map((one) => {
    try {
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  })
  const sum = kilobytes.reduce((a, b) => a + b, 0)
  return sum === 0 ? undefined : sum / 1024
}

/** Returns the CPU seconds of a process and its children; clock ticks are 1/100 s on Linux. */
export function processorSeconds(pid: number): number {
  const ticks = family(pid).map((one) => {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(fields[11]) + Number(fields[12])
    } catch {
      return 0
    }
  })
  return ticks.reduce((a, b) => a + b, 0) / 100
}
