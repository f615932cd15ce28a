import type { Target } from './figure.ts'

/** Minimum ratio to a reference, by measurement and reference; others have no target. */
const ratios: Record<string, number> = {
  'R1 bare': 1,
  'R2 bare': 1,
  'R3 bare': 1,
  'R4 bare': 1,
  'R5 bare': 1,
  'R1 general bare': 0.55,
  'R2 general bare': 0.55,
  'R3 general bare': 0.55,
  'R4 general bare': 0.55,
  'R5 general bare': 0.55,
  'W1 bare': 0.5,
  'W2 engine': 1,
  'W3 engine': 1,
  'W4 engine': 1,
  'MIX bare': 0.9,
  'R1 scale': 0.75,
  'R2 scale': 0.75,
  'R4 scale': 0.75,
  'R5 scale': 0.75,
}

/** Maximum values; memory has a target per scale. */
const amounts: Record<string, number> = { start: 0.7, 'load 1': 220, 'load 100': 320 }

/** At scale 1, ratios to bare node:http or the engine alone; for larger estates, to the same work at scale 1. */
export function ratioTarget(name: string, limit: 'bare' | 'engine' | 'scale'): Target | undefined {
  const value = ratios[`${name} ${limit}`]
  return value === undefined ? undefined : { of: 'ratio', value }
}

export function amountTarget(name: string, scale: number): Target | undefined {
  const value = amounts[name] ?? amounts[`${name} ${scale}`]
  return value === undefined ? undefined : { of: 'measured', value }
}
