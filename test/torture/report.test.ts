import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from './arguments.ts'
import type { Harness } from './harness.ts'
import { describe as describeProgress } from './progress.ts'
import { promiseGroups, promises } from './promises.ts'
import { pageOf } from './report/page.ts'
import type { Report } from './report/report.ts'
import { rowsOf, textTable } from './report/rows.ts'
import { type HarnessResult, verdictOf } from './result.ts'
import { inOrderOfNeed, shareEndsAtMs } from './share.ts'

const caught = { bug: 'forgets', caught: true, by: 'lost one' }
const about = {
  harness: 'crash',
  promises: [1, 12],
  title: 'Kills',
  unit: 'kills',
  target: 'lost 0',
  planted: [caught],
}
const run = { done: 1000, count: 1000, seconds: 200, figures: { kills: 1000, lost: 0 }, violations: [] }
const violation = { what: 'lost a | room', history: ['POST 1', 'kill'] }

const verdicts: [string, Partial<HarnessResult>, string][] = [
  ['all done, nothing found', { run }, 'kept'],
  ['its time was over', { run: { ...run, done: 400 } }, 'kept so far'],
  ['nothing was done', { run: { ...run, done: 0 } }, 'no time'],
  ['it was not run', {}, 'no time'],
  ['a planted bug was missed', { run, planted: [caught, { ...caught, caught: false }] }, 'blind'],
  ['it crashed', { run: { ...run, crash: 'Error: x' } }, 'crashed'],
  ['it found something and crashed', { run: { ...run, crash: 'Error: x', violations: [violation] } }, 'broken'],
]

describe('the verdict on a promise', () => {
  for (const [when, result, verdict] of verdicts) {
    test(`${verdict}: ${when}`, () => assert.equal(verdictOf({ ...about, ...result }), verdict))
  }
})

describe('the page of guarantees', () => {
  const machine = { cores: 2, memoryGigabytes: 8, system: 'linux x64', node: 'v24.0.0' }
  const report: Report = {
    ...{ date: '2026-01-02T03:04:05Z', commit: 'abc', seed: 7, minutes: 60, seconds: 3599, machine },
    results: [{ ...about, run: { ...run, done: 400, violations: [violation] } }],
  }
  const page = pageOf(report, [{ found: 'crash', what: 'a write was lost', fix: 'responded after the commit' }])

  test('has a row for each promise, also for one that nothing tests', () => {
    assert.match(page, /\| 1\. no acknowledged write.* \| crash \| 400 of 1,000 kills; lost 0 \| lost 0 \| broken \|/)
    assert.match(page, /\| 12\. the audit log is complete.* \| crash \|/)
    assert.match(page, /\| 20\. every dependency.* \| {2}\| {2}\| 0 known-bad versions \| not tested \|/)
    assert.equal(page.match(/^\| \d+\. /gm)?.length, promises.length)
  })

  test('has each promise in one group of its summary', () => {
    const grouped = promiseGroups.flatMap(({ numbers }) => numbers)
    assert.deepEqual(
      grouped.toSorted((a, b) => a - b),
      promises.map(({ number }) => number),
    )
  })

  test('begins with a summary', () => {
    const whole = { ...about, planted: [caught, { ...caught, caught: false }] }
    const kept = { ...about, promises: [2], run }
    const shortly = `**1 of ${promises.length} promises kept, ${promises.length - 3} not tested in this run. 2 of 3 planted bugs caught.** Defects found and fixed so far: 0.`
    const page = pageOf({ ...report, results: [whole, kept] }, [])
    assert.ok(page.includes(shortly))
    assert.match(page, /- \*\*Data\*\* .* Kept, except: 1 blind; 3, 6, 7, 17, 18, 22 not tested\./)
  })

  test('cuts off the evidence of a planted bug, which can be a whole response', () => {
    const by = 'x'.repeat(1000)
    const [result] = report.results
    const page = pageOf({ ...report, results: [{ ...(result as HarnessResult), planted: [{ ...caught, by }] }] }, [])
    assert.match(page, /\| forgets \| yes \| x{140} … \|/)
  })

  test('tells when, where and how it was run', () => {
    assert.match(page, /2026-01-02, limited in time, in 59:59 .* Seed 7, commit abc/)
    assert.match(page, /2 cores, 8 GB of memory, linux x64, Node v24\.0\.0/)
  })

  test('lists planted bugs, defects, and the histories of violations', () => {
    assert.match(page, /\| crash \| forgets \| yes \| lost one \|/)
    assert.match(page, /\| crash \| a write was lost \| responded after the commit \|/)
    assert.match(page, /lost a \| room\n {2}POST 1\n {2}kill/)
  })

  test('on a terminal is a table of even columns', () => {
    const [titles = '', , first = ''] = textTable(rowsOf(report.results)).split('\n')
    assert.equal(titles.indexOf('verdict'), first.indexOf('broken'))
  })
})

describe('a run of torture', () => {
  const harness = (name: string): Harness => {
    const counts = { planted: 1, test: 1, torture: 100 }
    return {
      name,
      promises: [1],
      title: '',
      unit: 'x',
      target: '',
      counts,
      planted: [],
      run: async () => assert.fail(),
    }
  }
  const all = [harness('slow'), harness('fast')]

  test('begins with those that need least, which leave their time to the others', () => {
    const known = [50, 1].map((done, at) => ({ ...about, harness: ['fast', 'slow'][at] ?? '', run: { ...run, done } }))
    assert.deepEqual(inOrderOfNeed(all, known), all.toReversed())
    assert.deepEqual([shareEndsAtMs(100, 400, 3), shareEndsAtMs(500, 400, 3)], [200, 500])
  })

  test('tells how far it is', () => {
    const going = { count: 1000, unit: 'kills', beginMs: 0, endsAtMs: 1e9 }
    assert.equal(describeProgress(250, going, 50_000), '250 of 1,000 kills, 5 a second, 2:30 left')
    assert.equal(describeProgress(0, { ...going, endsAtMs: 70_000 }, 50_000), '0 of 1,000 kills, 0 a second, 0:20 left')
  })

  test('parses valid arguments and refuses others', () => {
    const { chosen, whole, seed } = readArguments(['--only', 'fast', '--seed', '42'], all)
    assert.deepEqual([chosen, whole, seed], [[all[1]], false, 42])
    for (const wrong of [['--minutes', '0'], ['--only', 'x'], ['--seed', '1.5'], ['--unknown']]) {
      assert.throws(() => readArguments(wrong, all))
    }
  })
})
