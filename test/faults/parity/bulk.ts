import { fullId } from '../../../src/domain/identifier.ts'
import type { Random } from '../../torture/random.ts'
import { facilities, shortIds } from './estate.ts'
import type { Pair, Pairing } from './pairing.ts'
import { nasty, pick, subscriptions } from './values.ts'

const longest = 5

/** The body of a call that changes many rooms, mostly of the facility in the path. */
export function bulk(random: Random, path: string, pairing: Pairing): Pair {
  const facility = decodeURIComponent(path.split('/').at(-1) ?? '')
  const operations = Array.from({ length: 1 + random.below(longest) }, () => operation(random, facility, pairing))
  const mode = random.pick(['each', 'each', 'each', 'each', 'all', random.pick(['all', 'both'])])
  // No two bodies are equal by chance: only a repeated request is a retry of its Idempotency-Key.
  const members = `"mode":"${mode}","note":${random.below(2 ** 32)}`
  const text = (at: 0 | 1) => `{${members},"operations":[${operations.map((one) => one[at]).join()}]}`
  return [text(0), text(1)]
}

function operation(random: Random, facility: string, pairing: Pairing): Pair {
  const area = areaIn(random, facility)
  const cycle = random.chance(0.04) ? pick(random, pairing.ids, 'x') : undefined
  const [op, pair = ['', '']] = random.pick(kinds)(random, facility, pairing)
  const text = (at: 0 | 1) => {
    const members = JSON.stringify({ op, area, ...(cycle && { cycle: cycle[at] }) })
    return `${members.slice(0, -1)}${pair[at]}}`
  }
  return [text(0), text(1)]
}

function areaIn(random: Random, facility: string): string {
  const short = random.chance(0.97) ? random.pick(shortIds.slice(0, 4)) : random.pick([...shortIds, ...nasty])
  return fullId(random.chance(0.97) ? facility : random.pick(facilities), short)
}

/** An operation and the JSON of its other members. */
type Kind = (random: Random, facility: string, pairing: Pairing) => [op: string, more?: Pair]

const kinds: Kind[] = [
  () => ['open'],
  () => ['open'],
  () => ['close'],
  (random) => ['add_services', services(random)],
  (random) => ['add_services', services(random)],
  (random) => ['add_services', services(random)],
  (random) => ['replace_services', services(random)],
  (random) => ['replace_services', services(random)],
  (random, _, { ids }) => {
    const [one, other] = pick(random, ids, 'not-an-id')
    const kept = (id: string) => `,"services":[{"id":"${id}","code":"Plain"}]`
    return ['replace_services', [kept(one), kept(other)]]
  },
  (random, facility) => {
    const to = `,"to":${JSON.stringify(areaIn(random, facility))}`
    return ['move', [to, to]]
  },
]

function services(random: Random): Pair {
  const text = subscriptions(random)
  // Text that is no JSON, or that no body may contain, would refuse the whole call.
  const isRefused = text === '' || text === '[' || /\\u(0000|d800)/.test(text)
  const json = `,"services":${isRefused && random.chance(0.97) ? '[{"code":"Plain"},{"code":"1"}]' : text || '1'}`
  return [json, json]
}
