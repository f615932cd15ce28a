import { type Part, parts } from '../profile.ts'
import type { Chart } from './charts.ts'
import { drawSvg } from './draw.ts'
import { flameChart } from './flame.ts'
import type { ReportedProfile } from './report.ts'
import { engineTitle } from './rows.ts'

export async function drawFlames(profiles: ReportedProfile[]): Promise<Chart[]> {
  const charts: Chart[] = []
  for (const profile of inOrder(profiles)) {
    const { work, engine, scale } = profile
    const title = `${placeOf(profile)}: what the main thread is busy with`
    charts.push({
      file: `profile-${work}-${engine}${scale === 1 ? '' : `-${scale}`}.svg`,
      title,
      svg: await drawSvg(title, flameChart(profile)),
    })
  }
  return charts
}

/** Microseconds of each part for one answer; nothing without profiles. */
export function profilePart(all: ReportedProfile[]): string[] {
  if (all.length === 0) return []
  const profiles = inOrder(all)
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const head = profiles.map(placeOf)
  const rows = (Object.keys(parts) as Part[]).map((part) =>
    line([
      parts[part],
      ...profiles.map((profile) => `${Math.round(profile.parts[part] * profile.microsecondsPerAnswer)} µs`),
    ]),
  )
  const total = line(['together', ...profiles.map((profile) => `${Math.round(profile.microsecondsPerAnswer)} µs`)])
  const commits = [...new Set(profiles.map(({ commit }) => commit))].join(', ')
  return [
    '## Where the time goes',
    `Processor time of the server for one answer, all threads together, shared out as the samples of its main thread are
(V8's profiler was on, which costs something itself). Commit ${commits}. Below, the same as flame graphs: callers above, what they call
below them, each as wide as its share of the time in which the main thread was busy; what has less than 0.6 % is left out.`,
    [line(['part', ...head]), line(['---', ...head.map(() => '---:')]), ...rows, total].join('\n'),
  ]
}

function placeOf({ work, engine, scale }: ReportedProfile): string {
  return `${work} on ${engineTitle[engine]}${scale === 1 ? '' : ` at scale ${scale}`}`
}

function inOrder(profiles: ReportedProfile[]): ReportedProfile[] {
  const place = ({ engine, work, scale }: ReportedProfile) => {
    return `${engine === 'sqlite' ? 0 : 1} ${work} ${scale}`
  }
  return profiles.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}
