import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Harness, Outcome } from './harness.ts'
import type { Message } from './one.ts'
import { root } from './plant.ts'
import type { RunResult } from './result.ts'

/** How long a harness may take to stop once its time is over. */
const patienceMs = 120_000
const keptLines = 20

export interface HarnessTask {
  harness: Harness
  /** The name of a planted bug; undefined for the program without one. */
  bug?: string
  count: number
  seed: number
  /** Aborted when its time is over. */
  signal: AbortSignal
  progress(done: number): void
}

/** Runs a harness in a process of its own, so that everything it breaks or leaves running ends with that process. */
export async function runInProcess(task: HarnessTask): Promise<RunResult> {
  const { harness, bug = '-', count, seed, signal, progress } = task
  const begin = performance.now()
  // In a process group of its own: Ctrl-C is handled here, and the group can be killed as one.
  const child = fork(join(import.meta.dirname, 'one.ts'), [harness.name, bug, String(count), String(seed)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const said = { done: 0, outcome: undefined as Outcome | undefined, lines: lastLines(child), late: false }
  child.on('message', (message: Message) => {
    Object.assign(said, message)
    if ('done' in message) progress(message.done)
    else endGroup(child)
  })
  const release = onAbort(signal, child, () => {
    said.late = true
  })
  await once(child, 'close')
  release()
  endGroup(child)
  const seconds = (performance.now() - begin) / 1000
  const { figures, violations } = said.outcome ?? { figures: {}, violations: [] }
  const crash = said.late ? 'it did not end when its time was over' : said.lines() || 'it ended without a word'
  return { done: said.done, count, seconds, figures, violations, ...(said.outcome === undefined && { crash }) }
}

function onAbort(signal: AbortSignal, child: ChildProcess, late: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const tell = () => {
    if (child.connected) child.send('stop')
    timer = setTimeout(() => {
      late()
      endGroup(child)
    }, patienceMs)
  }
  if (signal.aborted) tell()
  signal.addEventListener('abort', tell)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', tell)
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}

function lastLines(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).split('\n').slice(-keptLines).join('\n')
  })
  return () => withoutPaths(text.slice(Math.max(0, text.search(/^\w*Error\b/m))).trim())
}

// Removes the project's path on this machine from the report, which is published.
function withoutPaths(text: string): string {
  return text.replaceAll(pathToFileURL(`${root}/`).href, '').replaceAll(`${root}/`, '')
}
