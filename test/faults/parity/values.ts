import { ownNames } from '../../torture/own-fields.ts'
import type { Random } from '../../torture/random.ts'
import { type Pair, same } from './pairing.ts'

/** Texts that engines are known to treat differently: case, accents, order, escapes, what looks like a number. */
export const nasty = [
  'é',
  'e\u0301',
  'É',
  'ß',
  'ﬀ',
  'İ',
  '🛏',
  '\u{10ffff}',
  '\uffff',
  '\u200b',
  '\u2028',
  "'; drop table area; --",
  '%',
  '_',
  '\\',
  '"',
  '$1',
  '?1',
  ':x',
  '{}',
  'null',
  '1e3',
  '007',
  ' x ',
  'a\u0000b',
  '\\u0000',
  '\ud800',
  'x'.repeat(255),
  'é'.repeat(256),
]

export const text = (random: Random) =>
  random.pick([...nasty, 'Plain', `${random.below(9)}`, nasty[random.below(9)] + random.pick(nasty)])

/** The JSON of a list of subscriptions, or now and then of something else. */
export function subscriptions(random: Random): string {
  const one = () => ({
    code: text(random).slice(0, 60),
    ...(random.chance(0.5) && { label: text(random) }),
    ...(random.chance(0.3) && {
      start: random.pick(['2027-01-01', 1_800_000_000, '2027-02-30', '2027-01-01T00:00:00+02:00']),
    }),
    ...(random.chance(0.3) && {
      end: random.pick(['2027-02-01', '2027-12-31T00:00:00Z', 1_900_000_000, null]),
    }),
    ...(random.chance(0.5) && {
      [random.chance(0.5) ? random.pick(ownNames) : text(random)]: random.pick([
        1.5e-7,
        1e21,
        -0,
        2 ** 53,
        null,
        { '2': 1, '1': [text(random)] },
      ]),
    }),
  })
  if (random.chance(0.1))
    return random.pick(['', '[', '{}', '[[]]', 'null', '[{"code":""}]', '[{"code":"x","code":"y"}]'])
  return JSON.stringify(Array.from({ length: 1 + random.below(3) }, one))
}

/** Prefers recent values, which are more likely to be valid still. */
export function pick(random: Random, pairs: readonly Pair[], otherwise: string): Pair {
  const from = random.chance(0.8) ? pairs.slice(-12) : pairs
  return from.length === 0 ? same(otherwise) : random.pick(from)
}
