export interface Progress {
  /** A line within the step. */
  say(line: string): void
  step(title: string): void
}

/** One line for each step with the time that is left, to a terminal or a log alike. */
export function showProgress(
  steps: number,
  guessSeconds: number,
  write = (line: string) => console.error(line),
): Progress {
  const startMs = performance.now()
  let firstMs = startMs
  let begun = 0
  return {
    say: (line) => write(`  ${line}`),
    step: (title) => {
      const nowMs = performance.now()
      if (begun === 0) firstMs = nowMs
      const each = begun === 0 ? guessSeconds : (nowMs - firstMs) / 1000 / begun
      const left = begun >= steps ? 'almost done' : `about ${clock(each * (steps - begun))} left`
      write(`[${clock((nowMs - startMs) / 1000)}, ${left}] ${title}`)
      begun++
    },
  }
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
