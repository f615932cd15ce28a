import type { RunResult } from './result.ts'

const everyMs = { terminal: 100, elsewhere: 30_000 }

/** Reports the progress of a run. */
export interface Progress {
  begin(title: string, count: number, unit: string, endsAtMs: number): void
  done(done: number): void
  end(words: string): void
  /** Prints a line that stays. */
  say(line: string): void
}

/** Rewrites one line on a terminal; elsewhere prints fewer, plain lines. */
export function showProgress(out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): Progress {
  const startMs = performance.now()
  let now = { title: '', count: 0, unit: '', beginMs: 0, endsAtMs: 0 }
  let shownAtMs = 0
  const stamp = () => `[${clock((performance.now() - startMs) / 1000)}]`
  const line = (text: string) => out.write(`${out.isTTY ? '\r\x1b[K' : ''}${stamp()} ${text}\n`)
  return {
    say: line,
    begin: (title, count, unit, endsAtMs) => {
      now = { title, count, unit, beginMs: performance.now(), endsAtMs }
      shownAtMs = out.isTTY ? 0 : performance.now()
    },
    done: (done) => {
      if (performance.now() - shownAtMs < (out.isTTY ? everyMs.terminal : everyMs.elsewhere)) return
      shownAtMs = performance.now()
      const text = `${now.title} ${describe(done, now, performance.now())}`
      if (out.isTTY) out.write(`\r\x1b[K${stamp()} ${text}`)
      else line(text)
    },
    end: (words) => line(`${now.title} ${words}`),
  }
}

interface Going {
  count: number
  unit: string
  beginMs: number
  endsAtMs: number
}

/** `340 of 1,000 kills, 4.2 a second, 2:37 left` */
export function describe(done: number, { count, unit, beginMs, endsAtMs }: Going, nowMs: number): string {
  const rate = done / Math.max(0.001, (nowMs - beginMs) / 1000)
  const leftSeconds = Math.min(rate > 0 ? (count - done) / rate : Infinity, (endsAtMs - nowMs) / 1000)
  const left = Number.isFinite(leftSeconds) ? `, ${clock(Math.max(0, leftSeconds))} left` : ''
  return `${many(done)} of ${many(count)} ${unit}, ${many(Number(rate.toPrecision(2)))} a second${left}`
}

/** `1,000 kills in 3:20: lost 0, doubled 0` */
export function summary({ done, count, seconds, figures }: RunResult, unit: string): string {
  const amount = done < count ? `${many(done)} of ${many(count)}` : many(done)
  return `${amount} ${unit} in ${clock(seconds)}: ${figuresText(figures)}`
}

export function figuresText(figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${many(value)}`)
    .join(', ')
}

export function many(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: 2 })
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
