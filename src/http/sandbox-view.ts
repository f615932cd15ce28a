import { facilityIdPattern } from '../domain/identifier.ts'
import { type Schema, Type } from './schema.ts'
import { dateTime, nullableTime, text } from './schema-parts.ts'

const id = (description: string) => Type.String({ pattern: facilityIdPattern, description })

const ahead = { ahead_seconds: Type.Number({ description: 'How many seconds the clock is ahead of real time.' }) }

const sandboxWith = (clock: Record<string, Schema>) =>
  Type.Object(
    {
      id: id('Id of the sandbox. The ids of its facilities begin with it.'),
      partner: id('The partner that owns the sandbox.'),
      facilities: Type.Array(
        Type.Object({
          id_external: id('The identifier used in paths.'),
          copy_of: id('The facility that it was copied from.'),
          name: text('Current name.'),
        }),
      ),
      clock: Type.Object({ ...clock, ...ahead }),
      date_created: dateTime('When the sandbox was created.'),
      last_reset: nullableTime('When the sandbox was last reset, in real time.'),
    },
    { $id: 'Sandbox', description: "A partner's own copy of some facilities, with a clock of its own." },
  )

export const Sandbox = sandboxWith({ now: dateTime('The time in the sandbox.') })
export const SandboxForOperators = sandboxWith({})

export const sandboxExample = {
  id: 'atr-test.k3v9x2ab',
  partner: 'acme-pms',
  facilities: [{ id_external: 'atr-test.k3v9x2ab.annecy-01', copy_of: 'annecy-01', name: 'Clinique du Lac' }],
  clock: { now: '2026-11-15T10:30:00.000Z', ahead_seconds: 7200 },
  date_created: '2026-11-14T09:00:00.000Z',
  last_reset: '2026-11-15T08:00:00.000Z',
}

export const sandboxForOperatorsExample = { ...sandboxExample, clock: { ahead_seconds: 7200 } }

/** The body of a request that changes the clock of a sandbox: it has `now` or `advance`, not both. */
export const clockBody = {
  schema: Type.Partial(
    Type.Object({
      now: dateTime('The time to set the clock to, later than the current time of the sandbox.'),
      advance: Type.String({
        description: 'How far to move the clock forward: an ISO 8601 duration in weeks to seconds.',
      }),
    }),
  ),
  examples: { 'two hours on': { advance: 'PT2H' }, 'to a time': { now: '2026-12-24T18:00:00Z' } },
}
