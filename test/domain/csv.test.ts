import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCsv } from '../../src/domain/csv.ts'

function pairs(...rows: string[][]): [number, string[]][] {
  return rows.map((fields, at) => [at + 1, fields])
}

describe('CSV', () => {
  const rows: [string, string, [number, string[]][]][] = [
    [
      'lines and fields',
      'a,b\nc,d',
      [
        [1, ['a', 'b']],
        [2, ['c', 'd']],
      ],
    ],
    [
      'a line break at the end is no row',
      'a\r\nb\r\n',
      [
        [1, ['a']],
        [2, ['b']],
      ],
    ],
    [
      'quotes keep separators, quotes and line breaks',
      '"x, ""y""\nz",2\n3',
      [
        [1, ['x, "y"\nz', '2']],
        [3, ['3']],
      ],
    ],
    ['semicolons, as spreadsheets write them', 'a;b\n1,5;\t2', pairs(['a', 'b'], ['1,5', '2'])],
    ['tabs, as spreadsheets write them', 'a\tb\n1,5\t2;3', pairs(['a', 'b'], ['1,5', '2;3'])],
    [
      'commas, beside which the other separators are text',
      'id,name\n102,Room; south',
      pairs(['id', 'name'], ['102', 'Room; south']),
    ],
    ['a separator in quotes decides nothing', '"a,b";c\nd;e', pairs(['a,b', 'c'], ['d', 'e'])],
    ['one column, whose text may hold semicolons', 'id\na;b', pairs(['id'], ['a;b'])],
    [
      'empty lines are left out, empty fields are not',
      'a,,c\n\n,,\nd',
      [
        [1, ['a', '', 'c']],
        [4, ['d']],
      ],
    ],
    ['a byte order mark', '\uFEFFid', [[1, ['id']]]],
    ['a quote that is never closed', '"a,b', [[1, ['"a', 'b']]]],
    ['nothing', '', []],
  ]
  for (const [what, text, expected] of rows) {
    test(what, () => {
      assert.deepEqual(
        parseCsv(text).map(({ line, fields }) => [line, fields]),
        expected,
      )
    })
  }
})
