import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CpuProfile, profileOf } from '../../bench/profile.ts'
import { drawFlames, profilePart } from '../../bench/report/profiles.ts'
import { type Report, type ReportedProfile, withProfiles } from '../../bench/report/report.ts'

const node = (id: number, functionName: string, url: string, ...children: number[]) => ({
  id,
  callFrame: { functionName, url },
  children,
})

/** Samples every millisecond from 1,000 µs on: one of the start, those under load, one of the end. */
const sampled: CpuProfile = {
  nodes: [
    node(1, '(root)', '', 2, 3, 6, 7),
    node(2, '(idle)', ''),
    node(3, 'onRead', 'node:net', 4),
    node(4, 'answer', 'file:///x/src/http/pipeline/render.ts', 5),
    node(5, 'rows', 'file:///x/src/storage/sqlite/engine.ts', 8),
    node(6, '(garbage collector)', ''),
    node(7, 'onRead', 'node:net'),
    node(8, 'all', ''),
  ],
  startTime: 0,
  samples: [4, 2, 3, 4, 8, 8, 6, 7, 2, 4],
  timeDeltas: [1000, ...Array(9).fill(1000)],
}
const window = { fromUs: 1500, toUs: 9500, microsecondsPerAnswer: 60 }
const profile = { ...profileOf(sampled, window), work: 'W2', engine: 'sqlite', scale: 1 } as const
const now: ReportedProfile = { ...profile, commit: 'abc' }

describe('the parts of a profile', () => {
  test('only busy samples under load count; native functions are attributed to their callers', () => {
    const { engine, http, node: sockets, garbage, operations } = profile.parts
    const sixths = [engine, http, sockets, garbage, operations].map((share) => Math.round(share * 6))
    assert.deepEqual(sixths, [2, 1, 2, 1, 0])
  })

  test('a profile of another time, such as the launcher’s, is not used', () => {
    assert.throws(() => profileOf(sampled, { ...window, fromUs: 20_000, toUs: 30_000 }), /no sample of the time/)
  })

  test('the same function called in several places is one bar, the widest first', () => {
    const [first, second] = profile.calls
    assert.equal(first?.name, 'onRead node:net')
    assert.equal(Math.round((first?.share ?? 0) * 6), 5)
    assert.equal(first?.calls[0]?.calls[0]?.name, 'rows src/storage/sqlite/engine.ts')
    assert.equal(second?.name, '(garbage collector)')
  })

  test('new profiles replace those of the same work, and leave those of other work', () => {
    const old: Report = { runs: [], figures: [], profiles: [{ ...now, work: 'R2' }, now] }
    const { profiles = [] } = withProfiles(old, 'def', [profile])
    assert.deepEqual(
      profiles.map(({ work, commit }) => `${work} ${commit}`),
      ['R2 abc', 'W2 def'],
    )
  })

  test('the page has a table of microseconds and a picture for both themes', async () => {
    assert.match(profilePart([now]).join('\n'), /\| database engine and driver \| 20 µs \|/)
    assert.deepEqual(profilePart([]), [])
    const [chart, large] = await drawFlames([{ ...now, scale: 100 }, now])
    assert.equal(chart?.file, 'profile-W2-sqlite.svg')
    assert.equal(large?.file, 'profile-W2-sqlite-100.svg')
    assert.match(large?.title ?? '', /^W2 on SQLite at scale 100:/)
    assert.match(chart?.svg ?? '', /prefers-color-scheme:dark/)
  })
})
