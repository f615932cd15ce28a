import type { EngineName } from './estate/databases.ts'
import type { Target } from './figure.ts'

type Row = Partial<Record<EngineName, number>>

/** By figure and limit; what has no row has no target. */
const ratios: Record<string, Row> = {
  'R1 bare': { sqlite: 0.9, postgres: 0.6 },
  'R2 bare': { sqlite: 0.9, postgres: 0.6 },
  'R3 bare': { sqlite: 0.9, postgres: 0.6 },
  'R4 bare': { sqlite: 0.9, postgres: 0.6 },
  'R5 bare': { sqlite: 0.9, postgres: 0.6 },
  'W1 bare': { sqlite: 0.45 },
  'W2 bare': { sqlite: 0.45 },
  'W3 bare': { sqlite: 0.45 },
  'W4 bare': { sqlite: 0.45 },
  'W1 engine': { postgres: 0.5 },
  'W2 engine': { postgres: 0.5 },
  'W3 engine': { postgres: 0.5 },
  'W4 engine': { postgres: 0.5 },
  'MIX bare': { sqlite: 0.75, postgres: 0.5 },
  // The time of the SQL, times 1.5.
  'COLD engine': { sqlite: 1 / 1.5, postgres: 1 / 1.5 },
  'workers R2 one': { sqlite: 1.4, postgres: 1.4 },
  'workers R3 one': { sqlite: 1.4, postgres: 1.4 },
}

export function ratioTarget(name: string, limit: 'bare' | 'engine' | 'one', engine: EngineName): Target | undefined {
  const value = ratios[`${name} ${limit}`]?.[engine]
  return value === undefined ? undefined : { of: 'ratio', value }
}

const amounts: Record<string, Row> = {
  p99: { sqlite: 5, postgres: 10 },
  start: { sqlite: 0.7, postgres: 1 },
  apply: { sqlite: 15, postgres: 30 },
  'load 1': { sqlite: 160, postgres: 160 },
  'load 100': { sqlite: 220, postgres: 220 },
}

/** The target of an amount; memory has one for each scale, `apply` one for 200,000 areas. */
export function amountTarget(name: string, engine: EngineName, scale: number): Target | undefined {
  if (name === 'apply' && scale !== 1) return undefined
  const value = (amounts[name] ?? amounts[`${name} ${scale}`])?.[engine]
  return value === undefined ? undefined : { of: 'measured', value }
}
