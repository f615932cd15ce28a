import fc from 'fast-check'
import { facilityIds, shortIds } from './estate.ts'
import type { Model } from './model.ts'
import type { Real } from './real.ts'
import type { Body } from './values.ts'

type Fault = Body<unknown>['fault']

export type Command = fc.AsyncCommand<Model, Real>

/** A command is a name, what it was made with, and what it does to both. */
export function command<T>(
  name: string,
  options: fc.Arbitrary<T>,
  run: (chosen: T, model: Model, real: Real) => Promise<unknown>,
): fc.Arbitrary<Command> {
  return options.map((chosen) => ({
    check: () => true,
    run: async (model, real) => {
      await run(chosen, model, real)
    },
    toString: () => `${name}(${JSON.stringify(chosen)})`,
  }))
}

function weighted<T>(...choices: [number, T][]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })))
}

/** The first may do everything, so most is asked by it. */
export const partner = weighted([5, 0], [2, 1], [2, 2])

/** Now and then one that is not there. */
export const facilityId = weighted<string>(...facilityIds.map((id, at): [number, string] => [at === 0 ? 8 : 4, id]), [
  1,
  'nowhere',
])

/** Few rooms, so that commands meet in them. */
export const fullId = weighted<string>(
  [12, `${facilityIds[0]}-${shortIds[0]}`],
  [4, `${facilityIds[0]}-${shortIds[1]}`],
  [2, `${facilityIds[1]}-${shortIds[0]}`],
  [2, `${facilityIds[2]}-${shortIds[0]}`],
  [1, `${facilityIds[0]}-zz`],
  [1, `nowhere-${shortIds[0]}`],
)

/** Which ETag comes with a request: the last one that was seen, after a fresh look or not; any; one that never was. */
export const ifMatch = weighted<IfMatch>([8, 'none'], [2, 'last'], [2, 'fresh'], [1, 'wrong'], [1, '*'])
export type IfMatch = 'none' | 'last' | 'fresh' | 'wrong' | '*'

export const cycle = weighted<Cycle>([6, 'none'], [2, 'current'], [1, 'past'])
export type Cycle = 'none' | 'current' | 'past'

export const fault = weighted<Fault>([14, undefined], [1, 'no JSON'], [1, 'no value'])

/** Few keys, so that they come again, with the same body or another. */
export const key = weighted<string | undefined>([3, undefined], [2, 'k1'], [1, 'k2'])
