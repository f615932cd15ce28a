import type { TopLevelSpec } from 'vega-lite'
import { type Call, type Part, type Profile, parts } from '../profile.ts'

const width = 960
const rowHeight = 17
const letterWidth = 6.1
/** Maximum depth of the flame graph. */
const maxRows = 26

interface Bar {
  from: number
  to: number
  row: number
  part: string
  text: string
}

/** Draws calls downwards from the outermost one; the width is the share of the busy time. */
export function flameChart({ calls }: Profile): TopLevelSpec {
  const values: Bar[] = []
  layOut(calls, 0, 0, values)
  const rows = Math.max(...values.map(({ row }) => row)) + 1
  const x = { field: 'from', type: 'quantitative' as const, scale: { domain: [0, 1] }, axis: null }
  const y = { field: 'row', type: 'quantitative' as const, scale: { domain: [rows, 0] }, axis: null }
  return {
    width,
    height: rows * rowHeight,
    data: { values: values.map((bar) => ({ ...bar, below: bar.row + 0.94 })) },
    layer: [
      {
        mark: { type: 'rect', cornerRadius: 1 },
        encoding: {
          x,
          x2: { field: 'to' },
          y,
          y2: { field: 'below' },
          color: {
            field: 'part',
            type: 'nominal',
            sort: Object.values(parts),
            scale: { domain: Object.values(parts), range: Object.values(partColours) },
            legend: { title: null, orient: 'bottom', columns: 3, labelLimit: 320 },
          },
        },
      },
      {
        mark: {
          type: 'text',
          align: 'left',
          baseline: 'middle',
          dx: 4,
          dy: rowHeight / 2 - 1,
          fontSize: 10.5,
          color: '#ffffff',
        },
        encoding: { x, y, text: { field: 'text' } },
      },
    ],
  }
}

/** Dark enough for white text on light and dark pages. */
const partColours: Record<Part, string> = {
  engine: '#9a3412',
  storage: '#92600a',
  operations: '#3f6212',
  http: '#1d4f91',
  packages: '#6b21a8',
  node: '#475569',
  garbage: '#9f1239',
}

function layOut(calls: Call[], row: number, from: number, into: Bar[]): void {
  if (row >= maxRows) return
  let at = from
  for (const { name, part, share, calls: inner } of calls) {
    into.push({ from: at, to: at + share, row, part: parts[part], text: textFor(name, share) })
    layOut(inner, row + 1, at, into)
    at += share
  }
}

/** Fits the label into the width, dropping first the file, then the share. */
function textFor(name: string, share: number): string {
  const letters = Math.floor((share * width - 8) / letterWidth)
  const [short = name, ...file] = name.split(' ')
  const percent = `${(share * 100).toFixed(1)} %`
  const texts = [`${short} ${percent} ${file.join(' ')}`, `${short} ${percent}`, short]
  const fitting = texts.find(({ length }) => length <= letters)
  return fitting ?? (letters < 4 ? '' : `${short.slice(0, letters - 1)}…`)
}
