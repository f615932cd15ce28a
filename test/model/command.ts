import fc from 'fast-check'
import { facilityIds, shortIds } from './estate.ts'
import type { Model } from './model.ts'
import type { Real } from './real.ts'
import type { Body } from './values.ts'

type Fault = Body<unknown>['fault']

export type Command = fc.AsyncCommand<Model, Real>

/** A command of the model-based test (fast-check): its name, its arguments, and its effect on the model and the server. */
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

/** Mostly partner 0, which may do everything. */
export const partner = weighted([5, 0], [2, 1], [2, 2])

/** Sometimes a facility that does not exist. */
export const facilityId = weighted<string>(...facilityIds.map((id, at): [number, string] => [at === 0 ? 8 : 4, id]), [
  1,
  'nowhere',
])

/** Few rooms, so that several commands affect the same one. */
export const fullId = weighted<string>(
  [12, `${facilityIds[0]}-${shortIds[0]}`],
  [4, `${facilityIds[0]}-${shortIds[1]}`],
  [2, `${facilityIds[1]}-${shortIds[0]}`],
  [2, `${facilityIds[2]}-${shortIds[0]}`],
  [1, `${facilityIds[0]}-zz`],
  [1, `nowhere-${shortIds[0]}`],
)

/** The If-Match header: none, the last ETag seen, the current one, `*`, or one that never existed. */
export const ifMatch = weighted<IfMatch>([8, 'none'], [2, 'last'], [2, 'fresh'], [1, 'wrong'], [1, '*'])
export type IfMatch = 'none' | 'last' | 'fresh' | 'wrong' | '*'

export const cycle = weighted<Cycle>([6, 'none'], [2, 'current'], [1, 'past'])
export type Cycle = 'none' | 'current' | 'past'

export const fault = weighted<Fault>([14, undefined], [1, 'no JSON'], [1, 'no value'])

/** Few idempotency keys, so that they are reused, with the same body or another. */
export const key = weighted<string | undefined>([3, undefined], [2, 'k1'], [1, 'k2'])
