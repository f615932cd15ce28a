import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../app/language.tsx'
import classes from './charts.module.css'
import { type Kind, kinds, type Latency, type Minute } from './figures.ts'
import { overviewWords } from './words.ts'

const width = 600
const height = 150

/** Requests per minute as stacked bars, with refused and failed ones on top. */
export function RequestBars({ minutes }: { minutes: Minute[] }) {
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  const count = (value: number) => value.toLocaleString(language)
  const most = roundUp(Math.max(1, ...minutes.map((one) => one.ok + one.refused + one.failed)))
  const sums = kinds.map((kind) => ({ kind, text: `${count(sum(minutes, kind))} ${words.kinds[kind]}` }))
  return (
    <>
      <Chart
        label={`${words.requests}: ${sums.map(({ text }) => text).join(', ')}`}
        minutes={minutes}
        top={count(most)}
      >
        {minutes.map((minute, at) => (
          <Bar key={minute.minute} minute={minute} at={at} step={width / minutes.length} most={most} />
        ))}
      </Chart>
      <div className={classes.legend}>
        {sums.map(({ kind, text }) => (
          <span key={kind}>
            <svg width="10" height="10" aria-hidden="true">
              <rect width="10" height="10" rx="2" className={classes[kind]} />
            </svg>
            {text}
          </span>
        ))}
      </div>
    </>
  )
}

function Bar({ minute, at, step, most }: { minute: Minute; at: number; step: number; most: number }) {
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  let below = 0
  return kinds.map((kind) => {
    const length = (minute[kind] / most) * height
    below += length
    if (length === 0) return null
    return (
      <rect key={kind} className={classes[kind]} x={at * step + 1} y={height - below} width={step - 2} height={length}>
        <title>{`${clock(minute.minute, language)}: ${minute[kind].toLocaleString(language)} ${words.kinds[kind]}`}</title>
      </rect>
    )
  })
}

function sum(minutes: Minute[], kind: Kind): number {
  return minutes.reduce((total, minute) => total + minute[kind], 0)
}

interface LatencyProps {
  minutes: Minute[]
  latency: Latency[]
  /** Mean over the whole hour. */
  mean: number
}

/** Latency per minute: the mean as a solid line, the slowest as a dotted one. */
export function LatencyLines({ minutes, latency, mean }: LatencyProps) {
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  const slowest = Math.max(...latency.map(({ slowest_ms: ms }) => ms))
  const most = roundUp(Math.max(0.1, slowest))
  const first = Date.parse(minutes[0]?.minute ?? '')
  const points = (pick: (one: Latency) => number) =>
    latency
      .map((one) => {
        const x = ((Date.parse(one.minute) - first) / ((minutes.length - 1) * 60_000)) * width
        return `${x.toFixed(1)},${(height - (pick(one) / most) * height).toFixed(1)}`
      })
      .join(' ')
  const ms = (value: number) => `${value.toLocaleString(language, { maximumFractionDigits: 1 })} ms`
  const said = [`${words.mean} ${ms(mean)}`, `${words.slowest} ${ms(slowest)}`]
  return (
    <>
      <Chart label={`${words.latency}: ${said.join(', ')}`} minutes={minutes} top={ms(most)}>
        <polyline className={classes.line} data-soft="" points={points((one) => one.slowest_ms)} />
        <polyline className={classes.line} points={points((one) => one.mean_ms)} />
      </Chart>
      <div className={classes.legend}>
        {said.map((text, at) => (
          <span key={text}>
            <svg width="18" height="10" aria-hidden="true">
              <line className={classes.line} data-soft={at === 1 ? '' : undefined} x2="18" y1="5" y2="5" />
            </svg>
            {text}
          </span>
        ))}
      </div>
    </>
  )
}

interface ChartProps {
  label: string
  minutes: Minute[]
  /** Value at the upper edge. */
  top: string
  children: ReactNode
}

/** Time axis of one hour. */
function Chart({ label, minutes, top, children }: ChartProps) {
  const { language } = useLanguage()
  const times = [0, 15, 30, 45, 59].map((at) => clock(minutes[at]?.minute ?? '', language))
  return (
    <div className={classes.plot}>
      <span className={classes.top}>{top}</span>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, 0.5, 1].map((at) => (
          <line key={at} className={classes.axis} x2={width} y1={at * height} y2={at * height} />
        ))}
        {children}
      </svg>
      <div className={classes.times} aria-hidden="true">
        {times.map((time) => (
          <span key={time}>{time}</span>
        ))}
      </div>
    </div>
  )
}

function clock(at: string, language: string): string {
  return new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50 …, for a readable scale. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power
}
