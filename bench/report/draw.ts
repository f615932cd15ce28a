import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'

/** Colors on light pages, with their counterparts on dark ones. */
const themes = {
  text: ['#24292f', '#e6edf3'],
  faint: ['#d8dee4', '#3d444d'],
  met: ['#2f6fbb', '#6ea8e8'],
  missed: ['#94a3b8', '#64748b'],
  target: ['#c2410c', '#fb923c'],
} as const

type Ink = keyof typeof themes

export const ink = Object.fromEntries(Object.entries(themes).map(([name, [light]]) => [name, light])) as Record<
  Ink,
  string
>

const darkRules = Object.values(themes)
  .map(([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`)
  .join('')
const style = `<style>@media(prefers-color-scheme:dark){${darkRules}}</style>`

const font = 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'

/** Returns a chart as SVG without background, for light and dark pages. */
export async function drawSvg(title: string, spec: TopLevelSpec): Promise<string> {
  const config = {
    background: 'transparent',
    padding: 8,
    title: { color: ink.text, fontSize: 15, anchor: 'start' as const, frame: 'group' as const, offset: 14 },
    font,
    view: { stroke: null },
    axis: {
      labelColor: ink.text,
      titleColor: ink.text,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 'normal' as const,
      gridColor: ink.faint,
      domain: false,
      ticks: false,
      labelPadding: 8,
      labelLimit: 260,
      titlePadding: 12,
    },
    header: {
      labelColor: ink.text,
      labelFontSize: 14,
      labelFontWeight: 'bold' as const,
      title: null,
      labelAnchor: 'start' as const,
    },
    legend: { labelColor: ink.text, titleColor: ink.text, labelFontSize: 12, symbolSize: 90 },
  }
  const { spec: compiled } = compile({ ...spec, title, config } as TopLevelSpec)
  const svg = await new View(parse(compiled), { renderer: 'none' }).toSVG()
  const labelled = svg.replace(/<svg ([^>]*)>/, `<svg $1 role="img"><title>${title}</title>${style}`)
  return `${labelled}\n`
}
