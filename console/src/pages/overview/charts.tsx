import { useWords } from '../../app/language.tsx'
import classes from './charts.module.css'
import type { Figures, Kind, Minute } from './figures.ts'
import { overviewWords } from './words.ts'

const width = 600
const height = 150
const kinds: Kind[] = ['ok', 'refusedShort', 'failed']

/** One bar a minute, what was refused and what failed on top. */
export function RequestBars({ minutes }: { minutes: Minute[] }) {
  const words = useWords(overviewWords)
  const most = Math.max(1, ...minutes.map((one) => one.ok + one.refusedShort + one.failed))
  const step = width / minutes.length
  return (
    <>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${words.requests}: ${kinds.map((kind) => `${words[kind]} ${sum(minutes, kind)}`).join(', ')}`}
      >
        <line className={classes.axis} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {minutes.map((minute, at) => {
          let below = 0
          return kinds.map((kind) => {
            const length = (minute[kind] / most) * (height - 4)
            below += length
            if (length === 0) return null
            return (
              <rect
                key={`${minute.minute} ${kind}`}
                className={classes[kind]}
                x={at * step + 1}
                y={height - below}
                width={step - 2}
                height={length}
              >
                <title>{`${minute.minute.slice(11, 16)}: ${minute[kind]} ${words[kind]}`}</title>
              </rect>
            )
          })
        })}
      </svg>
      <div className={classes.legend}>
        {kinds.map((kind) => (
          <span key={kind}>
            <svg width="10" height="10" aria-hidden="true">
              <rect width="10" height="10" rx="2" className={classes[kind]} />
            </svg>
            {words[kind]} {sum(minutes, kind)}
          </span>
        ))}
      </div>
    </>
  )
}

export function sum(minutes: Minute[], kind: Kind): number {
  return minutes.reduce((total, minute) => total + minute[kind], 0)
}

/** The mean as a line, the slowest dotted above it. */
export function LatencyLines({ latency }: { latency: Figures['latency'] }) {
  const words = useWords(overviewWords)
  const most = Math.max(1, ...latency.map(({ slowest_ms: slowest }) => slowest))
  const points = (pick: (one: Figures['latency'][number]) => number) =>
    latency
      .map((one, at) => {
        const x = latency.length === 1 ? width : (at / (latency.length - 1)) * width
        return `${x.toFixed(1)},${(height - (pick(one) / most) * (height - 6)).toFixed(1)}`
      })
      .join(' ')
  const last = latency.at(-1)
  return (
    <>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${words.latency}: ${words.mean} ${last?.mean_ms.toFixed(1) ?? 0} ms, ${words.slowest} ${most.toFixed(1)} ms`}
      >
        <line className={classes.axis} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        <polyline className={classes.line} data-soft="" points={points((one) => one.slowest_ms)} />
        <polyline className={classes.line} points={points((one) => one.mean_ms)} />
      </svg>
      <div className={classes.legend}>
        <span>
          {words.mean} {last?.mean_ms.toFixed(1) ?? 0} ms
        </span>
        <span>
          {words.slowest} {most.toFixed(1)} ms
        </span>
      </div>
    </>
  )
}
