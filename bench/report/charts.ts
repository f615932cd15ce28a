import type { TopLevelSpec } from 'vega-lite'
import type { Figure } from '../figure.ts'
import { spreadOf } from '../statistics.ts'
import { peerWorks, works } from '../work.ts'
import { drawSvg, ink } from './draw.ts'
import type { Report } from './report.ts'
import { engineTitle, isMet, short } from './rows.ts'

export interface Chart {
  file: string
  title: string
  svg: string
}

const width = 520

export async function drawCharts({ figures }: Pick<Report, 'figures'>): Promise<Chart[]> {
  const charts: Chart[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const shown = chosenRatios(figures.filter((one) => one.engine === engine && one.scale === 1 && !one.peer))
    if (shown.length === 0) continue
    const title = `Atrium on ${engineTitle[engine]}: each kind of work as a share of its reference`
    charts.push({ file: `${engine}.svg`, title, svg: await drawSvg(title, ratioChart(shown)) })
  }
  const names: readonly string[] = peerWorks
  const ofWorks = figures.filter(({ name, scale }) => scale === 1 && names.includes(name))
  const compared = ofWorks.filter(({ limit, ratios }) => limit === 'bare node:http' && ratios?.length)
  if (compared.some(({ peer }) => peer !== undefined)) {
    const title = 'Atrium and other servers as a share of bare node:http, on a logarithmic scale'
    charts.push({ file: 'peers.svg', title, svg: await drawSvg(title, peerChart(compared)) })
  }
  return charts
}

/** Returns one ratio per work: the one with a target, otherwise the one to bare node:http. */
function chosenRatios(figures: Figure[]): Figure[] {
  return works.flatMap((work) => {
    const ratios = figures.filter(({ name, ratios }) => name === work && ratios?.length)
    return ratios.find(({ target }) => target !== undefined) ?? ratios[0] ?? []
  })
}

function ratioChart(figures: Figure[]): TopLevelSpec {
  const values = figures.map((figure) => {
    const { median, min, max } = spreadOf(figure.ratios ?? [])
    const label = `${figure.name} to ${figure.limit}`
    const target = figure.target?.value ?? null
    return {
      label,
      median,
      min,
      max,
      target,
      met: isMet(figure) !== false,
      text: target === null ? short(median) : `${short(median)} (target ${short(target)})`,
    }
  })
  const y = { field: 'label', type: 'nominal' as const, sort: null, title: null }
  const most = Math.max(1, ...values.map(({ max }) => max))
  const x = (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [0, most], nice: true },
    axis: {
      title: 'share of the limit; thin line: spread; mark: target; grey: target not met',
      format: '.1f',
      tickCount: 6,
    },
  })
  return {
    width,
    height: { step: 30 },
    data: { values },
    layer: [
      {
        mark: { type: 'bar', height: 16, cornerRadiusEnd: 2 },
        encoding: { y, x: x('median'), color: { condition: { test: 'datum.met', value: ink.met }, value: ink.missed } },
      },
      { mark: { type: 'rule', strokeWidth: 1.5, color: ink.text }, encoding: { y, x: x('min'), x2: { field: 'max' } } },
      {
        transform: [{ filter: 'datum.target !== null' }],
        mark: { type: 'tick', thickness: 3, size: 24, opacity: 1, color: ink.target },
        encoding: { y, x: x('target') },
      },
      {
        mark: { type: 'text', align: 'left', fontSize: 12, color: ink.text },
        encoding: { y, x: { value: width + 16 }, text: { field: 'text' } },
      },
    ],
  }
}

function peerChart(figures: Figure[]): TopLevelSpec {
  const values = figures.map((figure) => {
    const { median } = spreadOf(figure.ratios ?? [])
    const server = figure.peer ?? `Atrium, ${engineTitle[figure.engine]}`
    return { server, work: figure.name, median, own: figure.peer === undefined, text: short(median) }
  })
  const y = { field: 'server', type: 'nominal' as const, sort: null, title: null }
  const x = {
    field: 'median',
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domainMax: 3 },
    axis: { title: null, values: [0.001, 0.01, 0.1, 1], format: '~g' },
  }
  return {
    data: { values },
    facet: { field: 'work', type: 'nominal', sort: [...works] },
    columns: 2,
    spacing: { row: 28, column: 40 },
    spec: {
      width: 270,
      height: { step: 20 },
      layer: [
        {
          mark: { type: 'circle', size: 90, opacity: 1 },
          encoding: { y, x, color: { condition: { test: 'datum.own', value: ink.met }, value: ink.missed } },
        },
        {
          mark: { type: 'text', align: 'left', dx: 9, fontSize: 11, color: ink.text },
          encoding: { y, x, text: { field: 'text' } },
        },
      ],
    },
  } as TopLevelSpec
}
