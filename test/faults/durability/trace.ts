import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../torture/tool.ts'

/** A system call, in the order in which they happened. */
export interface Call {
  name: string
  /** The arguments as strace prints them, with the path of each file. */
  text: string
  failed: boolean
}

const traced = 'read,write,writev,sendmsg,pwrite64,fsync,fdatasync'
/** Enough for the head of a request, up to its id. */
const shownBytes = 600

/** Traces the system calls of a process until the returned function is called. */
export async function trace(pid: number): Promise<() => Promise<Call[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-trace-'))
  const file = join(folder, 'calls')
  const flags = ['-f', '-y', '-s', String(shownBytes), '-e', `trace=${traced}`, '-o', file, '-p', String(pid)]
  const strace = spawn(tool('strace'), flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  await attached(strace.stderr.setEncoding('utf8'))
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'close')
    const calls = callsIn(readFileSync(file, 'latin1'))
    rmSync(folder, { recursive: true, force: true })
    return calls
  }
}

async function attached(output: AsyncIterable<string>): Promise<void> {
  const said = await new Promise<string>((resolve) => {
    let text = ''
    const read = async () => {
      for await (const piece of output) {
        text += piece
        if (/ attached/.test(text)) resolve('')
      }
      resolve(text)
    }
    void read()
  })
  if (said !== '') throw new Error(`strace could not watch the node: ${said}`)
}

/**
 * strace splits a call that another thread interrupts into two lines. A response counts from its begin, other calls
 * from their end.
 */
export function callsIn(text: string): Call[] {
  const calls: Call[] = []
  const unfinished = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest)
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    if (begun !== null) {
      unfinished.set(thread, begun[1] as string)
      if (isAnswer(rest)) calls.push(callOf(`${begun[1]}) = 0`))
    } else if (resumed !== null) {
      const whole = (unfinished.get(thread) ?? '') + resumed[1]
      if (!isAnswer(whole)) calls.push(callOf(whole))
    } else if (rest !== '') calls.push(callOf(rest))
  }
  return calls
}

function isAnswer(text: string): boolean {
  return /^(write|writev|sendmsg)\(/.test(text)
}

function callOf(text: string): Call {
  return { name: /^\w*/.exec(text)?.[0] ?? '', text, failed: / = -1 /.test(text) }
}
