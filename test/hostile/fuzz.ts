import fc from 'fast-check'
import { type Engine, migratedDatabase } from '../harness/databases.ts'
import { enginesFor } from '../torture/engines.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Pauses } from '../torture/pauses.ts'
import { Random } from '../torture/random.ts'
import type { WireAnswer } from '../torture/wire.ts'
import { environmentText, estate } from './fuzz/estate.ts'
import { extraKeysDo, roomOfExtraKeys } from './fuzz/extra-keys.ts'
import { harm } from './fuzz/judge.ts'
import { planted } from './fuzz/planted.ts'
import { type FuzzRequest, fuzzRequest, oneThatIsThere } from './fuzz/requests.ts'
import { type Target, targetOf } from './fuzz/target.ts'
import { pathOf, shown, written } from './fuzz/write.ts'

export const fuzz: Harness = {
  name: 'fuzz',
  promises: [13],
  title: 'hostile input does no harm',
  unit: 'requests',
  target: '0 harmful',
  counts: { planted: 100_000, test: 5000, torture: 1_000_000 },
  planted,
  run,
}

/** Requests per round. Between rounds the extra keys are tried and the deadline is checked. */
const requestsPerRound = 100
/** From this count on, a second server of each kind pays for its start, since one is idle half of the time. */
const worthTwice = 100_000

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const engines = enginesFor({ build })
  const lanes = count < worthTwice ? engines : [...engines, ...engines]
  let requests = 0
  const roundDone = () => {
    requests += requestsPerRound
    progress(requests)
  }
  const work = lanes.map(async (engine, index): Promise<Violation[]> => {
    using pauses = new Pauses()
    let target = await openTarget(build, engine)
    try {
      for (let asked = 0; asked < count / lanes.length && !signal.aborted; ) {
        const wrong = await round(target, seed + index * 2 ** 20 + asked)
        if (pauses.take()) {
          await target.end()
          target = await openTarget(build, engine)
          continue
        }
        if (wrong !== undefined) return [{ ...wrong, what: `(${engine}) ${wrong.what}` }]
        asked += requestsPerRound
        roundDone()
      }
      return []
    } finally {
      await target.end()
    }
  })
  const violations = (await Promise.all(work)).flat()
  return { figures: { requests, harmful: violations.length }, violations }
}

async function openTarget(build: string, engine: Engine): Promise<Target> {
  const database = await migratedDatabase(engine)
  const tokens = await fill(database.url, estate)
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent', SOME_SECRET: environmentText }
  return targetOf(build, settings, tokens, () => database.drop())
}

/** Minimizes the harmful request of a round, if there is one. */
async function round(target: Target, seed: number): Promise<Violation | undefined> {
  let what = ''
  const isHarmless = async (request: FuzzRequest): Promise<boolean> => {
    const found = await trial(target, request)
    what = found ?? what
    return found === undefined
  }
  const settings = { numRuns: requestsPerRound, seed }
  const { counterexample, errorInstance } = await fc.check(fc.asyncProperty(fuzzRequest, isHarmless), settings)
  if (counterexample !== null)
    return { what: what || String(errorInstance), history: shown(written(counterexample[0], target.tokens)) }
  const changed = await extraKeysDo(target.wire, target.tokens.root as string, new Random(seed))
  target.oracle.forget(roomOfExtraKeys)
  return changed === undefined ? undefined : { what: changed, history: [changed] }
}

async function trial(target: Target, drawn: FuzzRequest): Promise<string | undefined> {
  const request = withId(target, drawn)
  const answer = await target.wire.ask(written(request, target.tokens))
  const found = harm(request, answer, target.tokens) ?? wrong(target, request, answer)
  if (found === undefined || (await target.isAlive())) return found
  return 'the server ended'
}

function withId({ oracle }: Target, request: FuzzRequest): FuzzRequest {
  const { serviceId, areaExternalId = '' } = request.parameters
  if (serviceId !== oneThatIsThere) return request
  return { ...request, parameters: { ...request.parameters, serviceId: oracle.idsIn(areaExternalId)[0] ?? serviceId } }
}

/** Returns what a response gets wrong about a room. */
function wrong({ oracle }: Target, request: FuzzRequest, answer: WireAnswer | undefined): string | undefined {
  const { method, body, headers } = request
  const isKeyed = headers.some(([name]) => name === 'Idempotency-Key')
  return answer && oracle.judge({ method, path: pathOf(request), body, isKeyed }, answer)
}
