import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchEstate } from '../estate/shape.ts'
import type { Figure } from '../figure.ts'
import { isHeldAgainst } from '../measure/scale.ts'
import { spreadOf } from '../statistics.ts'
import { peerWorks, workMeaning, works } from '../work.ts'
import { capacityPage } from './capacity.ts'
import { type Chart, drawCharts } from './charts.ts'
import { everydayPart, isEveryday } from './everyday.ts'
import { explanation } from './explanation.ts'
import { drawFlames, profilePart } from './profiles.ts'
import type { Machine, Report, ReportedFigure, Run } from './report.ts'
import { type Row, rowOf, rowTitles, short } from './rows.ts'
import { summary } from './summary.ts'

const docs = join(import.meta.dirname, '../../docs')

/** Writes docs/benchmarks.md with its charts, and docs/scale.md, from the report alone. */
export async function writePage(report: Report, folder = docs): Promise<void> {
  const charts = await drawCharts(report)
  const flames = await drawFlames(report.profiles ?? [])
  const pictures = join(folder, 'benchmarks')
  mkdirSync(pictures, { recursive: true })
  for (const old of readdirSync(pictures).filter((name) => name.endsWith('.svg'))) rmSync(join(pictures, old))
  for (const { file, svg } of [...charts, ...flames]) writeFileSync(join(pictures, file), svg)
  writeFileSync(join(folder, 'benchmarks.md'), page(report, charts, flames))
  writeFileSync(join(folder, 'scale.md'), capacityPage(report.figures))
}

const missed =
  'Why a target is missed, and how close a better design could come: [performance](performance.md#why-some-targets-are-missed).'

export function page(report: Report, charts: Chart[], flames: Chart[] = []): string {
  const own = report.figures.filter((figure) => figure.peer === undefined && !isEveryday(figure))
  const scales = [...new Set(own.map(({ scale }) => scale))].sort((a, b) => a - b)
  const parts = [
    summary(report.figures),
    ...charts.map(pictureOf),
    missed,
    explanation,
    ...scales.flatMap((scale) => scalePart(own, scale)),
    ...everydayPart(report.figures),
    ...peerPart(report.figures),
    ...profilePart(report.profiles ?? []),
    ...flames.map(pictureOf),
    '## Where this was measured',
    ...report.runs.map(runLine),
  ]
  return `${parts.join('\n\n')}\n`
}

function pictureOf({ file, title }: Chart): string {
  return `![${title}](benchmarks/${file})`
}

function scalePart(figures: ReportedFigure[], scale: number): string[] {
  const ofScale = figures.filter((figure) => figure.scale === scale).sort(inOrder)
  const tables = sections.flatMap(({ title, has }) => {
    const shown = ofScale.filter(has)
    return shown.length > 0 ? [title, table(shown)] : []
  })
  const others = ofScale.filter((figure) => !sections.some(({ has }) => has(figure)))
  return [
    scale === 1 ? '## Scale 1: 1,000 facilities' : `## Scale ${scale}: ${facilitiesAt(scale)} facilities`,
    table(others),
    ...tables,
  ]
}

const otherMeaning: Record<string, string> = {
  start: 'time to the ready line',
  rest: 'memory when idle',
  load: 'peak memory',
  disk: 'size of the database',
  p99: 'R2 beside long lists',
}

const isOf = (way: string) => (figure: Figure) => new RegExp(`^(${works.join('|')}) ${way}`).test(figure.name)

/** Figures with a table of their own; each figure fits one. */
const sections = [
  { title: '### Ratios of both scales, measured in turn', has: isHeldAgainst },
  { title: "### Through Node's HTTP parser", has: isOf('general') },
  { title: '### Head and body in two TCP segments', has: isOf('split') },
  { title: '### A PostgreSQL with a round-trip time of 10 ms', has: isOf('distant') },
  { title: '### With `ATRIUM_FAST_HTTP=off`', has: isOf('off') },
]

const facilitiesAt = (scale: number) => benchEstate(scale).facilities.toLocaleString('en-US')

function inOrder(a: Figure, b: Figure): number {
  const place = ({ name, engine }: Figure) => {
    const work = works.findIndex((work) => work === name || name.startsWith(`${work} `))
    return (engine === 'sqlite' ? 0 : 1000) + (work < 0 ? 100 : work)
  }
  return place(a) - place(b)
}

function table(figures: Figure[]): string {
  const keys = Object.keys(rowTitles) as (keyof Row)[]
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const head = [line(keys.map((key) => rowTitles[key])), line(keys.map(() => '---'))]
  const rows = figures.map((figure) => line(Object.values({ ...rowOf(figure), figure: titleOf(figure.name) })))
  return [...head, ...rows].join('\n')
}

/** The name of a figure, with what it measures where that is one word of the table of works. */
function titleOf(name: string): string {
  const meaning = Object.entries({ ...workMeaning, ...otherMeaning }).find(([work]) => work === name)?.[1]
  return meaning === undefined ? name : `${name}: ${meaning}`
}

/** Lists other servers in the order of the last run that had any; figures of earlier runs are marked. */
function peerPart(figures: ReportedFigure[]): string[] {
  const ofPeers = figures.filter(({ peer }) => peer !== undefined).sort((a, b) => b.run - a.run)
  const lastRun = ofPeers[0]?.run
  if (lastRun === undefined) return []
  const marked = (text: string, { run }: ReportedFigure) => (run === lastRun ? text : `${text}${mark}`)
  const lines = [...new Set(ofPeers.map(({ peer }) => peer))].map((peer) => {
    const of = (name: string) => ofPeers.find((one) => one.peer === peer && one.name === name)
    const ratios = peerWorks
      .map(of)
      .map((one) => (one?.ratios?.length ? marked(short(spreadOf(one.ratios).median), one) : '–'))
    const memory = of('load')
    const [megabytes] = memory?.measured ?? []
    const used = memory && megabytes !== undefined && marked(`${Math.round(megabytes)} MB`, memory)
    return `| ${[peer, ...ratios, used || memory?.skipped || '–'].join(' | ')} |`
  })
  const head = `| server | ${peerWorks.join(' | ')} | memory |\n|---|${peerWorks.map(() => '---|').join('')}---|`
  const table = [head, ...lines].join('\n')
  const note = table.includes(mark) ? [`${mark} From an earlier run.`] : []
  return [
    '## Other servers',
    'The same estate and work: the rate of each server divided by that of bare node:http, and its memory under load.',
    table,
    ...note,
  ]
}

const mark = '\\*'

function runLine({ date, commit, command, quick, stolen, machine }: Run): string {
  const when = date.slice(0, 16).replace('T', ' ')
  const taken =
    stolen === undefined
      ? ''
      : ` Its host gave ${Math.round(stolen * 100)} % of the processors' time to other machines.`
  return `- \`${command}\`, ${when} UTC, commit ${commit}${quick ? ', quick' : ''}: ${machineText(machine)}${taken}`
}

function machineText({ processor, cores, memoryGigabytes, system, node, sqlite, postgres }: Machine): string {
  const engines = [sqlite, postgres].filter(Boolean).join(', ')
  return `${cores} cores (${processor}), ${memoryGigabytes} GB, ${system}, Node ${node.slice(1)}, ${engines}.`
}
