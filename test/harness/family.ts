import { execFileSync } from 'node:child_process'

/** Sends a signal to a process and its descendants. */
export function signalFamily(first: number | undefined, signal: NodeJS.Signals): void {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const family = rows.map((row) => row.trim().split(/\s+/).map(Number))
  for (const [pid] of family.filter((ids) => ids.includes(first as number))) {
    try {
      process.kill(pid as number, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}
