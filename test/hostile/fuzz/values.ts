import fc from 'fast-check'

/** Texts that some parser could take for something else. */
const odd = [
  ...[
    '',
    ' ',
    '\0',
    '\u0000x',
    '\ud800',
    'x\udfff',
    '\u202e',
    '\u200b',
    'é',
    'e\u0301',
    '😀',
    '日本',
    '\ufeff',
    '\u2028',
  ],
  ...[
    '..',
    '../..',
    '%2e%2e%2f',
    '%',
    '%00',
    '%zz',
    '%c0%af',
    '/',
    '\\',
    '//',
    'null',
    'true',
    'NaN',
    '-0',
    '0',
    '1e400',
  ],
  ...["' or 1=1 --", '"; drop table facility; --', '#{7*7}', '{{7*7}}', '<script>alert(1)</script>', '`id`', '$(id)'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '*', '.*', '(a+)+$', '\r\nX: 1'],
  'x'.repeat(300),
  'é'.repeat(5000),
]

/** Characters that no text may contain. */
const forbidden = ['\0', 'x\ud800', '\udfffx', 'a\0b']

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...odd), weight: 3 },
  fc.constantFrom(...forbidden),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

export const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2 ** 53 + 2,
  253_402_300_800_000,
  8.64e15 + 1,
)

const scalar: fc.Arbitrary<unknown> = fc.oneof(oddText, oddNumber, fc.double(), fc.boolean(), fc.constant(null))

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .array(fc.tuple(oddText, tie('tree')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))),
  ),
}))

export const oddJson: fc.Arbitrary<unknown> = tree

const polluting = fc.constantFrom(
  '{"__proto__":{"polluted":1}}',
  '{"a":[{"__proto__":1}]}',
  '{"constructor":{"prototype":{"polluted":1}}}',
)

/** Hostile JSON: deep nesting, prototype pollution, invalid numbers. */
export const oddJsonText: fc.Arbitrary<string> = fc.oneof(
  oddJson.map((value) => JSON.stringify(value)),
  fc.integer({ min: 1, max: 60 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.integer({ min: 1, max: 60 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  { arbitrary: polluting, weight: 2 },
  fc.constantFrom(
    '['.repeat(20_000),
    '{"a":1e400}',
    '12345678901234567890',
    '{"a":1,"a":2}',
    '"\\ud800"',
    '"\\u0000"',
    '[,]',
    '{',
    '\ufeff{}',
    'undefined',
  ),
)
