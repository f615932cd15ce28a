import type { Figure } from '../figure.ts'
import { spreadOf } from '../statistics.ts'
import { ratioTarget } from '../targets.ts'
import { engineTitle, short, withSpread } from './rows.ts'

const suffix = ' audit'

/** With the audit log to the same without it. */
export function isOfAudit({ name }: Figure): boolean {
  return name.endsWith(suffix)
}

const head = '| figure | engine | with entries | without | with to without | target | met with | met without |'
const rule = '|---|---|---|---|---|---|---|---|'

/** What the audit log costs, and whether a target is missed because of it. */
export function auditPart(figures: Figure[]): string[] {
  const rows = figures.filter(isOfAudit)
  if (rows.length === 0) return []
  return ['### With the audit log and without it', explanation, [head, rule, ...rows.map(rowOf)].join('\n')]
}

const explanation = `Ratios to bare node:http on SQLite and to pgbench on PostgreSQL. "Without" is a copy of the program that writes no
entries: it exists for this comparison only. It is the most that the log can cost, since entries are also how a node is told
what is no longer true. Both run from their sources, each on a database of its own, in turn, each round beside its own limit.`

function rowOf({ name, engine, measured, limits = [], ratios = [] }: Figure): string {
  const work = name.slice(0, -suffix.length)
  const { value } = ratioTarget(work, engine === 'sqlite' ? 'bare' : 'engine', engine) ?? { value: Number.NaN }
  const met = (reached: number[]) => (spreadOf(reached).median >= value ? 'yes' : 'no')
  const cells = [withSpread(measured), withSpread(limits), withSpread(ratios), `≥ ${short(value)}`]
  return `| ${[work, engineTitle[engine], ...cells, met(measured), met(limits)].join(' | ')} |`
}
