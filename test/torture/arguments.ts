import { parseArgs } from 'node:util'
import type { Harness } from './harness.ts'

export interface Arguments {
  /** Undefined: until every harness has done its whole count. */
  minutes: number | undefined
  chosen: Harness[]
  /** True if all harnesses run, so that a report can be written. */
  whole: boolean
  seed: number
  /** Runs nothing, and renders the page again from the last report. */
  draw: boolean
  help: boolean
}

export const help = `npm run torture -- [options]

Tests every promise in its large size, after each harness has caught its planted bugs, and writes
test/torture/report.json and docs/guarantees.md.

  --minutes N    the time for all of it, shared out among the harnesses; without it, the whole counts
  --only NAME    one harness; may be given several times; no report is written
  --seed N       the same run again; one that was interrupted goes on with what it had not finished
  --draw         runs nothing and writes the page again from the last report
  --help         this text`

/** Throws an error of one line when the arguments are wrong. */
export function readArguments(args: string[], harnesses: Harness[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      draw: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const names = values.only.flatMap((list) => list.split(','))
  return {
    minutes: values.minutes === undefined ? undefined : positive('--minutes', values.minutes),
    chosen: names.length === 0 ? harnesses : names.map((name) => harnessOf(harnesses, name.trim())),
    whole: names.length === 0,
    seed: values.seed === undefined ? Date.now() % 2 ** 31 : whole('--seed', values.seed),
    draw: values.draw,
    help: values.help,
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`${name} takes a number greater than 0, not "${text}"`)
}

function whole(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text)
  throw new Error(`${name} takes a whole number below ${2 ** 32}, not "${text}"`)
}

function harnessOf(harnesses: Harness[], name: string): Harness {
  const found = harnesses.find((harness) => harness.name === name)
  if (found !== undefined) return found
  throw new Error(`--only takes ${harnesses.map((harness) => harness.name).join(', ')}, not "${name}"`)
}
