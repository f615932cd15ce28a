import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from '../../bench/arguments.ts'
import { benchEstate } from '../../bench/estate/shape.ts'
import type { Figure } from '../../bench/figure.ts'
import { besideOn } from '../../bench/measure/fast-http.ts'
import { heldAgainst } from '../../bench/measure/scale.ts'
import { drawCharts } from '../../bench/report/charts.ts'
import { page } from '../../bench/report/page.ts'
import { merge, type Report } from '../../bench/report/report.ts'
import { textTable } from '../../bench/report/table.ts'
import { percentile, ratiosToNeighbours, spreadOf } from '../../bench/statistics.ts'

const figure: Figure = {
  name: 'R2',
  engine: 'sqlite',
  scale: 1,
  unit: 'answers/s',
  measured: [900, 800, 1000],
  limit: 'bare node:http',
  limits: [1000, 1000, 1000, 1000],
  ratios: [0.9, 0.8, 1],
  target: { of: 'ratio', value: 0.9 },
}
const machine = {
  processor: 'x',
  cores: 2,
  memoryGigabytes: 8,
  system: 'linux x64',
  node: 'v24.0.0',
  sqlite: 'SQLite 3',
}
const run = { date: '2026-11-15T08:30:00.000Z', commit: 'abc', command: 'npm run bench', quick: false, machine }
const empty: Report = { runs: [], figures: [] }

describe('the statistics of the benchmark', () => {
  test('a round is divided by the mean of the limits around it', () => {
    assert.deepEqual(ratiosToNeighbours([100, 90], [100, 300, 60]), [0.5, 0.5])
  })

  test('median and spread', () => {
    assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 })
    assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 })
  })

  test('percentiles are values that were measured', () => {
    const values = Array.from({ length: 200 }, (_, index) => index + 1)
    assert.deepEqual(
      [0, 0.5, 0.99, 1].map((share) => percentile(values, share)),
      [1, 100, 198, 200],
    )
  })
})

describe('the arguments of the benchmark', () => {
  test('names are found whatever their case, several at once', () => {
    assert.deepEqual(readArguments(['--only', 'r2,cold', '--only', 'P99', '--only', 'General']).only, [
      'R2',
      'COLD',
      'p99',
      'general',
    ])
  })

  for (const args of [['--only', 'R9'], ['--scale', '0'], ['--engine', 'oracle'], ['--fast']]) {
    test(`${args.join(' ')} is refused`, () => assert.throws(() => readArguments(args), /R9|--scale|oracle|--fast/))
  }
})

describe('the estate of the benchmark', () => {
  for (const scale of [0.1, 1, 100, 1000]) {
    test(`at scale ${scale}, every partner listed for a facility sees it`, () => {
      const estate = benchEstate(scale)
      for (const facility of [0, 7, estate.facilities - 1]) {
        const partners = estate.partnersOf(facility)
        assert.equal(partners.length, 5)
        for (const partner of partners) assert.ok(estate.partner(partner).facilities.includes(facility))
      }
    })
  }
})

describe('the report', () => {
  test('a new measurement replaces the old one, and the others stay', () => {
    const first = merge(empty, run, [figure, { ...figure, name: 'R3' }])
    const second = merge(first, run, [{ ...figure, measured: [1] }])
    assert.deepEqual(
      second.figures.map(({ name, run: id, measured }) => [name, id, measured.length]),
      [
        ['R3', 1, 3],
        ['R2', 2, 1],
      ],
    )
  })

  test('a measurement replaces an older one with another reference', () => {
    const { limit: _, limits: __, ratios: ___, ...alone } = figure
    const second = merge(merge(empty, run, [alone]), run, [figure, { ...figure, limit: 'node:sqlite' }])
    assert.deepEqual(
      second.figures.map((one) => one.limit),
      ['bare node:http', 'node:sqlite'],
    )
  })

  test('a quick figure never replaces a full one', () => {
    const quick = merge(merge(empty, run, [figure]), { ...run, quick: true }, [{ ...figure, measured: [1] }])
    assert.equal(quick.figures[0]?.measured.length, 3)
    assert.equal(quick.runs.length, 1)
  })

  test('a failed measurement is listed, but never replaces an old one', () => {
    const skipped = { ...figure, measured: [], skipped: 'it did not start' }
    const reason = ({ figures }: Report) => figures.map((one) => one.skipped)
    assert.deepEqual(reason(merge(merge(empty, run, [figure]), run, [skipped])), [undefined])
    assert.deepEqual(reason(merge(merge(empty, run, [skipped]), run, [skipped])), ['it did not start'])
    assert.deepEqual(reason(merge(merge(empty, run, [skipped]), { ...run, quick: true }, [figure])), [undefined])
  })

  describe('a large estate compared with a small one', () => {
    const large: Figure = { ...figure, scale: 100, ratios: [0.45, 0.2, 0.5] }
    const held = heldAgainst([large], [{ ...figure, limit: 'node:sqlite', ratios: [9, 9, 9] }, figure])

    test('is compared round by round, and by the same limit', () => {
      assert.deepEqual(
        held.map(({ name, limit, ratios }) => [name, limit, ratios]),
        [['R2 at scale 100', 'at scale 1, to bare node:http', [0.5, 0.25, 0.5]]],
      )
    })

    test('has a table of its own on the page', () => {
      const text = page(merge(empty, run, [figure, large, ...held]), [])
      const [figures = '', compared = ''] = text.split('### Ratios of both scales, measured in turn')
      assert.doesNotMatch(figures, /R2 at scale 100/)
      assert.match(
        compared,
        /\| R2 at scale 100 \| SQLite \| 0\.45 \| 0\.90 at scale 1, .* \| 0\.50 \(0\.25–0\.50\) \| ≥ 0\.75 \| no \|/,
      )
    })

    test('has no comparison when there is no small estate', () => assert.deepEqual(heldAgainst([large], []), []))
  })

  describe('a server with ATRIUM_FAST_HTTP=off', () => {
    const of = (ratios: number[], limit = 'bare node:http'): Figure => ({ ...figure, name: 'W1', limit, ratios })
    const compared = besideOn(
      [of([9], 'node:sqlite'), of([0.5, 0.5, 0.4])],
      [of([0.25, 0.5, 0.2]), of([1], 'node:sqlite')],
    )

    test('is compared with one with it on round by round, by bare node:http', () => {
      assert.deepEqual(
        compared.map(({ name, limit, ratios }) => [name, limit, ratios]),
        [['W1 off', 'on, to bare node:http', [0.5, 1, 0.5]]],
      )
    })

    test('has a table of its own', () => {
      const text = page(merge(empty, run, [figure, ...compared]), [])
      const [figures = '', beside = ''] = text.split('### With `ATRIUM_FAST_HTTP=off`')
      assert.doesNotMatch(figures, /W1 off/)
      assert.match(beside, /\| W1 off \| SQLite \| 0\.25 \| 0\.50 on, to bare node:http \| 0\.50 \(0\.50–1\.00\) \|/)
    })
  })

  test('every variant has a table of its own on the page, and none is in the charts', async () => {
    const named = (name: string): Figure => ({ ...figure, name })
    const figures = ['R1 general', 'W2 split', 'W5 distant', 'W5 distant, one client'].map(named)
    const text = page(merge(empty, run, figures), [])
    assert.match(text, /### Through Node's HTTP parser\n\n.*\n.*\n\| R1 general/)
    assert.match(text, /### Head and body in two TCP segments\n\n.*\n.*\n\| W2 split/)
    assert.match(
      text,
      /### A PostgreSQL with a round-trip time of 10 ms\n\n.*\n.*\n\| W5 distant \| .*\n\| W5 distant, one client/,
    )
    assert.deepEqual(await drawCharts({ figures: merge(empty, run, figures).figures }), [])
  })

  test('the page shows the CPU steal time of a run where it is known', () => {
    assert.match(
      page(merge(empty, { ...run, stolen: 0.224 }, [figure]), []),
      /Its host gave 22 % of the processors' time/,
    )
    assert.doesNotMatch(page(merge(empty, run, [figure]), []), /Its host/)
  })

  test('the page lists other servers in the order of their last run, and marks results of earlier ones', () => {
    const of = (peer: string, name: string): Figure => ({ ...figure, peer, name })
    const first = merge(empty, run, [of('Slow', 'R2'), of('Slow', 'R3')])
    const second = merge(first, run, [of('Quick', 'R2'), of('Slow', 'R2')])
    assert.match(page(first, []), /\| Slow \| – \| 0\.90 \| 0\.90 \| – /)
    assert.doesNotMatch(page(first, []), /earlier run/)
    assert.match(
      page(second, []),
      /\| Quick \| – \| 0\.90 .*\n\| Slow \| – \| 0\.90 \| 0\.90\\\* \| – .*\n\n\\\* From an earlier run\./,
    )
  })

  test('the page begins with a summary', () => {
    const slow = { ...figure, name: 'R4', measured: [500], ratios: [0.4] }
    const text = page(merge(empty, run, [figure, slow, { ...figure, peer: 'Other', ratios: [0.02] }]), [])
    const [summary = ''] = text.split('## How to read the tables')
    assert.match(summary, /- SQLite, reads from the cache: 500\/s to 900\/s, 40 % to 90 % of a bare .* \(R2, R4\)\./)
    assert.match(summary, /- 1 of 2 targets are met\./)
    assert.match(summary, /- The fastest of the other servers measured is Other: 0\.020 .* Atrium 0\.90\./)
    assert.doesNotMatch(summary, /PostgreSQL|Idle/)
  })

  test('the table says whether a target is met', () => {
    assert.match(
      textTable([figure]),
      /R2 +SQLite +900\/s +1,000\/s bare node:http +0\.90 \(0\.80–1\.00\) +≥ 0\.90 +yes/,
    )
  })

  test('a measurement without a ratio is shown with its spread', () => {
    const { ratios: _, ...rest } = figure
    const p99: Figure = {
      ...rest,
      unit: 'ms',
      measured: [30, 6, 12],
      limits: [4],
      target: { of: 'measured', value: 5 },
    }
    assert.match(textTable([p99]), /12\.0 ms \(6\.00–30\.0\) +4\.00 ms bare node:http +≤ 5\.00 ms +no/)
  })

  test('the page shows its charts, which suit both themes', async () => {
    const report = merge(empty, run, [figure, { ...figure, peer: 'Other', ratios: [0.02] }])
    const charts = await drawCharts({ figures: report.figures })
    assert.deepEqual(
      charts.map(({ file }) => file),
      ['sqlite.svg', 'peers.svg'],
    )
    for (const { svg } of charts) assert.match(svg, /prefers-color-scheme:dark/)
    const text = page(report, charts)
    for (const { file } of charts) assert.ok(text.includes(`benchmarks/${file}`))
    assert.match(text, /\| Other \| – \| 0\.020 \|/)
  })
})
