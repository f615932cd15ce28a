import type { EngineName } from '../estate/databases.ts'
import type { Figure } from '../figure.ts'
import { everyday } from '../measure/everyday.ts'
import { spreadOf } from '../statistics.ts'

export function isEveryday({ name }: Pick<Figure, 'name'>): boolean {
  return name.startsWith(everyday)
}

const engines: EngineName[] = ['sqlite', 'postgres']

/** Returns a table of the everyday jobs: calls and bytes are the same on both engines, the time is not. */
export function everydayPart(figures: Figure[]): string[] {
  const own = figures.filter(isEveryday)
  if (own.length === 0) return []
  const rows = [...new Set(own.map(({ name }) => name))].map((name) => {
    const [first] = own.filter((one) => one.name === name) as [Figure]
    const { calls, bytes } = first.details as { calls: number; bytes: number }
    const times = engines.map((engine) => {
      const measured = own.find((one) => one.name === name && one.engine === engine)?.measured
      return measured === undefined ? '–' : seconds(measured)
    })
    const [job = '', way = ''] = name.slice(everyday.length).split(': ')
    return `| ${[job, way, calls.toLocaleString('en-US'), `${Math.round(bytes / 1000)} kB`, ...times].join(' | ')} |`
  })
  return [
    '## What a property-management system does every day',
    'Each job by the calls of the specification, and by those made for it. The bytes are those on the wire, both ways; one client sends one call after the other unless the row says so. Each service has a label and an end.',
    ['| job | calls used | calls | bytes | SQLite | PostgreSQL |', '|---|---|---|---|---|---|', ...rows].join('\n'),
  ]
}

function seconds(measured: number[]): string {
  const { median, min, max } = spreadOf(measured)
  return `${median.toPrecision(2)} s (${min.toPrecision(2)}–${max.toPrecision(2)})`
}
