import { type Progress, progressBar } from '../progress.ts'

const intervalMs = 10_000

/** Returns a progress bar on a terminal; elsewhere, such as in a log, progress that prints a line every ten seconds. */
export function longProgress(): Progress {
  if (process.stderr.isTTY) return progressBar()
  let shownAtMs = performance.now()
  return {
    show: (title, part) => {
      if (performance.now() - shownAtMs < intervalMs) return
      shownAtMs = performance.now()
      process.stderr.write(`${title} ${Math.floor(part * 100)} %\n`)
    },
    clear: () => {},
  }
}
