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
    const title = `${placeOf(profile)}: where the main thread spends its time`
    charts.push({
      file: `profile-${work}-${engine}${scale === 1 ? '' : `-${scale}`}.svg`,
      title,
      svg: await drawSvg(title, flameChart(profile)),
    })
  }
  return charts
}

/** Renders the microseconds of each part per response; empty without profiles. */
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
  const total = line(['total', ...profiles.map((profile) => `${Math.round(profile.microsecondsPerAnswer)} µs`)])
  const commits = [...new Set(profiles.map(({ commit }) => commit))].join(', ')
  return [
    '## Where the time goes',
    `Processor time of the server per response: that of all threads, divided as V8's profiler saw the main thread spend its time.
The profiler itself costs some of it. Commit ${commits}. The flame graphs below show the same: callers above the functions
that they call, each as wide as its share of the busy time; shares below 0.6 % are left out.`,
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
