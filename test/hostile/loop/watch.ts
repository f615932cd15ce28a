import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** Longer than the sampling interval of the probe. */
const settleMs = 12

/** The records of the probe inside a server. */
export class Watch {
  readonly #folder = mkdtempSync(join(tmpdir(), 'atrium-loop-'))
  readonly #file = join(this.#folder, 'blocks')
  #read = 0

  constructor() {
    writeFileSync(this.#file, '')
  }

  get nodeFlags(): string[] {
    return [`--import=${pathToFileURL(join(import.meta.dirname, 'probe.mjs')).href}`]
  }

  get settings(): Record<string, string> {
    return { ATRIUM_TEST_PROBE: this.#file }
  }

  /** The longest block since the last time, in milliseconds. */
  async longest(): Promise<number> {
    await sleep(settleMs)
    const lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean)
    const fresh = lines.slice(this.#read)
    this.#read = lines.length
    return Math.max(0, ...fresh.map(Number))
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
