import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Figure } from '../../bench/figure.ts'
import { capacityPage } from '../../bench/report/capacity.ts'

const figure: Figure = { name: 'R2', engine: 'sqlite', scale: 1, unit: 'answers/s', measured: [900] }

describe('the page of scale', () => {
  // 0.001 MB for an empty area, 0.0015 MB for one with services, 0.002 MB for a facility.
  const disk = (scale: number, megabytes: number): Figure => ({
    name: 'disk',
    engine: 'sqlite',
    scale,
    unit: 'MB',
    measured: [megabytes],
  })
  const rate = (scale: number, measured: number): Figure => ({ ...figure, scale, measured: [measured] })

  test('shows the size of an area and a facility, and compares larger estates with the smallest', () => {
    const text = capacityPage([disk(1, 212), disk(100, 3200), disk(1000, 5000), rate(1, 900), rate(1000, 810)])
    assert.match(text, /\| disk for a million empty areas \| 1000 MB \| – \|/)
    assert.match(text, /\| disk for a million areas with three services each \| 1500 MB \| – \|/)
    assert.match(text, /\| disk for a million facilities, with their lists and grants \| 2000 MB \| – \|/)
    assert.match(text, /\| R2 \| SQLite \| 1,000,000 facilities \| 900\/s \| 810\/s \| 0\.90 \|/)
  })

  test('counts the processes for a day of work', () => {
    const details = { server: [{ microsecondsPerAnswer: 100 }] }
    const works = ['R2', 'R3', 'R5', 'W2', 'W4'].map((name): Figure => ({ ...figure, name, details, measured: [9000] }))
    // 86 responses of 100 µs each in an hour for each of a million facilities, by processes that are half busy.
    assert.match(capacityPage(works), /\| 1,000,000 \| 23,889\/s \| 5 \| – \|/)
    const larger = works.map((work) => ({ ...work, scale: 100, details: { server: [{ microsecondsPerAnswer: 200 }] } }))
    assert.match(
      capacityPage([...works, ...larger]),
      /\| 1,000 \| 24\/s \| 1 \| – \|\n.*\| 1,000,000 \| 23,889\/s \| 10 \| – \|/s,
    )
  })

  test('says when one writer cannot commit the writes', () => {
    const details = { server: [{ microsecondsPerAnswer: 100 }] }
    // 2778 writes a second for a million facilities: three quarters of what one writer commits.
    const works = ['R2', 'R3', 'R5', 'W2', 'W4'].map((name): Figure => ({ ...figure, name, details, measured: [3700] }))
    assert.match(capacityPage(works), /\| 1,000,000 \| 23,889\/s \| more writes than one writer commits \| – \|/)
    const onPostgres = works.map((work): Figure => ({ ...work, engine: 'postgres' }))
    assert.match(capacityPage(onPostgres), /\| 1,000,000 \| 23,889\/s \| – \| 5 \|/)
  })
})
