// Runs one harness once, in this process: `one.ts NAME BUG COUNT SEED`, with `-` for no planted bug.
import type { Harness, Outcome } from './harness.ts'
import { harnesses } from './harnesses.ts'
import { plant, root } from './plant.ts'

/** A message to the parent process. */
export type Message = { done: number } | { outcome: Outcome }

const everyMs = 100

const [name, bug, count, seed] = process.argv.slice(2)
const stop = new AbortController()
process.on('message', () => stop.abort())
// The parent is gone: kills everything that was started here.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))

const harness = harnesses.find((one) => one.name === name)
if (harness === undefined) throw new Error(`There is no harness "${name}"`)
say({ outcome: await run(harness) })

async function run({ planted, run }: Harness): Promise<Outcome> {
  const defect = planted.find((one) => one.name === bug)
  using copy = defect && plant(defect)
  let done = 0
  let saidAtMs = 0
  const progress = (now: number) => {
    done = now
    if (performance.now() - saidAtMs < everyMs) return
    saidAtMs = performance.now()
    say({ done })
  }
  const build = copy?.build ?? root
  const outcome = await run({ build, seed: Number(seed), count: Number(count), signal: stop.signal, progress })
  say({ done })
  return outcome
}

function say(message: Message): void {
  process.send?.(message)
}
