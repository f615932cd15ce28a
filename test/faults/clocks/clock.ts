import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../torture/tool.ts'

const library = '/usr/lib/*/faketime/libfaketimeMT.so.1'

/** The wall clock of one node, which can be set while it runs; monotonic clocks are not affected. */
export class Clock {
  offsetSeconds = 0
  #setAtMs = 0
  readonly #folder = mkdtempSync(join(tmpdir(), 'atrium-clock-'))

  constructor() {
    this.set(0)
  }

  /** Options for the node's start. */
  get settings(): Record<string, string> {
    tool('faketime')
    return {
      LD_PRELOAD: globSync(library)[0] as string,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  /** Sets the clock to this offset from real time. */
  set(offsetSeconds: number): void {
    this.offsetSeconds = offsetSeconds
    this.#setAtMs = performance.now()
    writeFileSync(`${this.#file}.new`, `${offsetSeconds < 0 ? '-' : '+'}${Math.abs(offsetSeconds).toFixed(3)}\n`)
    renameSync(`${this.#file}.new`, this.#file)
  }

  get secondsSinceSet(): number {
    return (performance.now() - this.#setAtMs) / 1000
  }

  get nowMs(): number {
    return Date.now() + this.offsetSeconds * 1000
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #file(): string {
    return join(this.#folder, 'offset')
  }
}
