import type { EngineName } from '../estate/databases.ts'
import { type BenchEstate, benchEstate } from '../estate/shape.ts'
import type { Figure } from '../figure.ts'
import { spreadOf } from '../statistics.ts'
import { capacityText, checkHead, costHead, trafficHead } from './capacity-text.ts'
import { engineTitle, inUnit, short } from './rows.ts'

const small = 1
const large = 100
/** A million facilities and ten thousand partners. */
const largest = 1000

/** Renders docs/scale.md: what a process can do, what an estate takes, and how both hold for larger estates. */
export function capacityPage(figures: Figure[]): string {
  const own = figures.filter(({ peer }) => peer === undefined)
  const checked = checkRows(own)
  const parts = [
    capacityText.title,
    [...takeHome(own), capacityText.advice].join('\n'),
    capacityText.model,
    table(costHead, costRows(own)),
    capacityText.check,
    checked.length > 0 ? table(checkHead, checked) : capacityText.unchecked,
    capacityText.traffic,
    table(trafficHead, trafficRows(own)),
    capacityText.growth,
  ]
  return `${parts.join('\n\n')}\n`
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const engines: EngineName[] = ['sqlite', 'postgres']

function figureOf(figures: Figure[], name: string, engine: EngineName, scale: number): Figure | undefined {
  return figures.find(
    (one) => one.name === name && one.engine === engine && one.scale === scale && one.measured.length > 0,
  )
}

function medianOf(figures: Figure[], name: string, engine: EngineName, scale: number): number | undefined {
  const found = figureOf(figures, name, engine, scale)
  return found && spreadOf(found.measured).median
}

/** Processor time of the node per response, without that of the database server. */
function microsecondsIn(figure: Figure | undefined): number | undefined {
  const rounds = figure?.details?.server as { microsecondsPerAnswer: number }[] | undefined
  return rounds && spreadOf(rounds.map((round) => round.microsecondsPerAnswer)).median
}

/** Returns the numbers that most readers look for; none while they were not measured. */
function takeHome(figures: Figure[]): string[] {
  const rows = trafficRows(figures).filter((row) => row.slice(2).every((cell) => cell !== '–'))
  const single = rows.findLast(([, , ...counts]) => counts.every((count) => count === '1'))
  const million = rows.find(([facilities]) => facilities === '1,000,000')
  const sizes = engines.flatMap((engine) => sizeOf(figures, engine) ?? [])
  const lines = [
    single && `- One process serves ${single[0]} facilities in their busiest hour, on either engine.`,
    million && `- A million facilities: on SQLite ${processes(million[2])}, on PostgreSQL ${processes(million[3])}.`,
    sizes[0] && `- A million rooms take ${Math.round(sizes[0].perArea * 1e6)} MB of disk on SQLite.`,
  ]
  return lines.filter((line) => line !== undefined)
}

function processes(cell = ''): string {
  return cell === capacityText.tooManyWrites ? cell : `${cell} processes`
}

const costs = ['R2', 'R3', 'R5', 'W1', 'W2', 'W4']

function costRows(figures: Figure[]): string[][] {
  const cell = (value: number | undefined, text: (value: number) => string) => (value === undefined ? '–' : text(value))
  const perAnswer = costs.map((name) => [
    `${name}: processor time per response`,
    ...engines.map((engine) =>
      cell(microsecondsIn(figureOf(figures, name, engine, small)), (us) => `${Math.round(us)} µs`),
    ),
  ])
  const perSecond = costs.map((name) => [
    `${name}: responses per second of one process; load generator and database share its two cores`,
    ...engines.map((engine) => cell(medianOf(figures, name, engine, small), (rate) => inUnit(rate, 'answers/s'))),
  ])
  const sizes = engines.map((engine) => sizeOf(figures, engine))
  return [
    ...perAnswer,
    ...perSecond,
    ...Object.entries(sizeTitles).map(([name, title]) => [
      `disk for a million ${title}`,
      ...sizes.map((size) => (size ? `${Math.round(size[name as keyof Size] * 1e6)} MB` : '–')),
    ]),
    ...['rest', 'start'].map((name) => [
      name === 'rest' ? 'memory of an idle process' : 'time from start to ready',
      ...engines.map((engine) =>
        cell(medianOf(figures, name, engine, small), (value) => inUnit(value, name === 'rest' ? 'MB' : 's')),
      ),
    ]),
  ]
}

const sizeTitles: Record<keyof Size, string> = {
  perArea: 'empty areas',
  perFurnished: 'areas with three services each',
  perFacility: 'facilities, with their lists and grants',
}

interface Size {
  perArea: number
  perFurnished: number
  perFacility: number
}

/**
 * Solves for the disk size of each part, in MB: the three estates contain them in different proportions, and only the
 * first has empty areas.
 */
function sizeOf(figures: Figure[], engine: EngineName): Size | undefined {
  const [one, many, most] = [small, large, largest].map((scale) => medianOf(figures, 'disk', engine, scale))
  if (one === undefined || many === undefined || most === undefined) return undefined
  const [few, all, more] = [small, large, largest].map((scale) => countsOf(benchEstate(scale))) as [
    Counts,
    Counts,
    Counts,
  ]
  const determinant = all.furnished * more.facilities - all.facilities * more.furnished
  const perFurnished = (many * more.facilities - all.facilities * most) / determinant
  const perFacility = (all.furnished * most - many * more.furnished) / determinant
  const perArea = (one - perFurnished * few.furnished - perFacility * few.facilities) / few.empty
  return { perArea, perFurnished, perFacility }
}

interface Counts {
  facilities: number
  /** Areas without services, and with three. */
  empty: number
  furnished: number
}

function countsOf({ facilities, areas, roomsWithSubscriptions }: BenchEstate): Counts {
  const furnished = Math.min(areas, roomsWithSubscriptions)
  return { facilities, empty: facilities * (areas - furnished), furnished: facilities * furnished }
}

/** Compares larger estates with the smallest: rates, start and idle memory should not depend on the estate. */
function checkRows(figures: Figure[]): string[][] {
  return engines.flatMap((engine) =>
    [large, largest].flatMap((scale) =>
      ['R2 warm', ...costs, 'rest', 'start'].flatMap((name) => {
        const measured = medianOf(figures, name, engine, scale)
        const model = medianOf(figures, name === 'R2 warm' ? 'R2' : name, engine, small)
        if (measured === undefined || model === undefined) return []
        const unit = name === 'rest' ? 'MB' : name === 'start' ? 's' : 'answers/s'
        const title = `${benchEstate(scale).facilities.toLocaleString('en-US')} facilities`
        return [
          [name, engineTitle[engine], title, inUnit(model, unit), inUnit(measured, unit), short(measured / model)],
        ]
      }),
    ),
  )
}

/** Requests for one facility in its busiest hour, by kind of work. */
const traffic: Record<string, number> = { R2: 12, R3: 4, R5: 60, W2: 6, W4: 4 }
const busyShare = 0.5

const writes = ['W2', 'W4']

function trafficRows(figures: Figure[]): string[][] {
  return [1000, 10_000, 100_000, 1_000_000].map((facilities) => {
    const perSecond = (Object.values(traffic).reduce((sum, count) => sum + count, 0) * facilities) / 3600
    return [
      facilities.toLocaleString('en-US'),
      `${Math.round(perSecond).toLocaleString('en-US')}/s`,
      ...engines.map((engine) => processesFor(figures, engine, facilities)),
    ]
  })
}

/** Returns how many processes can serve the traffic of this many facilities, by figures of an estate as large. */
function processesFor(figures: Figure[], engine: EngineName, facilities: number): string {
  const sumOver = (names: string[], secondsOf: (figure: Figure) => number) =>
    names.reduce((sum, name) => {
      const figure = figureFor(figures, name, engine, facilities)
      return sum + ((traffic[name] as number) * facilities * (figure ? secondsOf(figure) : Number.NaN)) / 3600
    }, 0)
  const writer = sumOver(writes, ({ measured }) => 1 / spreadOf(measured).median)
  if (engine === 'sqlite' && writer > busyShare) return capacityText.tooManyWrites
  const cores = sumOver(Object.keys(traffic), (figure) => (microsecondsIn(figure) ?? Number.NaN) / 1e6) / busyShare
  return Number.isFinite(cores) ? String(Math.max(1, Math.ceil(cores))) : '–'
}

/** Returns the figure of the smallest estate that has so many facilities; of the largest one if none has. */
function figureFor(figures: Figure[], name: string, engine: EngineName, facilities: number): Figure | undefined {
  const measured = [small, large, largest].flatMap((scale) => figureOf(figures, name, engine, scale) ?? [])
  return measured.find(({ scale }) => benchEstate(scale).facilities >= facilities) ?? measured.at(-1)
}
