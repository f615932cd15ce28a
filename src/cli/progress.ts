/** A progress bar on standard error. Shows nothing if standard error is not a terminal. */
export interface Progress {
  show(title: string, part: number): void
  clear(): void
}

const barLength = 30
const intervalMs = 100

export function progressBar(): Progress {
  if (!process.stderr.isTTY) return { show: () => {}, clear: () => {} }
  let shownAtMs = 0
  return {
    show: (title, part) => {
      if (performance.now() - shownAtMs < intervalMs) return
      shownAtMs = performance.now()
      const done = Math.round(Math.min(1, part) * barLength)
      const bar = '█'.repeat(done) + '░'.repeat(barLength - done)
      process.stderr.write(`\r\x1b[K${title} ${bar} ${Math.floor(Math.min(1, part) * 100)} %`)
    },
    clear: () => {
      if (shownAtMs > 0) process.stderr.write('\r\x1b[K')
    },
  }
}
