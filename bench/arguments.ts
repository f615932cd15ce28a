import { parseArgs } from 'node:util'
import type { EngineName } from './estate/databases.ts'
import { works } from './work.ts'

/** Variants of the works; docs/benchmarks.md explains them. */
export const variants = ['general', 'split', 'distant', 'fast-http'] as const
export const otherFigures = [
  ...variants,
  'everyday',
  'p99',
  'start',
  'memory',
  'apply',
  'workers',
  'profile',
  'warm',
] as const
export const figureNames: readonly string[] = [...works, ...otherFigures]

export interface Arguments {
  quick: boolean
  peers: boolean
  help: boolean
  /** Only renders the pages from the existing report. */
  draw: boolean
  scale: number
  engines: EngineName[]
  /** Empty means all. */
  only: string[]
  rounds: number | undefined
  seconds: number | undefined
}

export const help = `npm run bench -- [options]

Measures Atrium against the limits of the machine, back to back, and writes bench/report.json, docs/benchmarks.md and
docs/scale.md.

  --quick           about two minutes: shorter rounds, and PostgreSQL on a part of the work only
  --only NAME       one kind of work or measurement; may be given several times (${figureNames.join(', ')})
  --engine NAME     sqlite or postgres; without it, both
  --scale N         N times the facilities and partners; 1 is 1,000 facilities of 200 areas and 100 partners, more have
                    20 areas each, more than 100 have 2 and 10,000 partners, less than 1 is a trial without a report;
                    the work on a larger one is measured in turn with the same work at scale 1
  --peers           measures other servers as well, and installs them first
  --rounds N        rounds of each measurement (3)
  --seconds N       seconds of each round (5)
  --draw            measures nothing and draws the page again from the report
  --help            this text

A run adds its part to the report and leaves the others: --scale 100 and --peers can come later.`

/** Parses the arguments; throws an error of one line for invalid ones. */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      draw: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      scale: { type: 'string', default: '1' },
      engine: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
    },
  })
  return {
    quick: values.quick,
    peers: values.peers,
    help: values.help,
    draw: values.draw,
    scale: positive('--scale', values.scale),
    engines: engines(values.engine),
    only: values.only.flatMap((names) => names.split(',')).map(figureName),
    rounds: values.rounds === undefined ? undefined : Math.ceil(positive('--rounds', values.rounds)),
    seconds: values.seconds === undefined ? undefined : positive('--seconds', values.seconds),
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`${name} takes a number greater than 0, not "${text}"`)
}

function engines(names: string[]): EngineName[] {
  const strange = names.find((name) => name !== 'sqlite' && name !== 'postgres')
  if (strange !== undefined) throw new Error(`--engine takes sqlite or postgres, not "${strange}"`)
  return names.length === 0 ? ['sqlite', 'postgres'] : (names as EngineName[])
}

function figureName(text: string): string {
  const name = figureNames.find((known) => known.toLowerCase() === text.trim().toLowerCase())
  if (name !== undefined) return name
  throw new Error(`--only takes ${figureNames.join(', ')}, not "${text}"`)
}
