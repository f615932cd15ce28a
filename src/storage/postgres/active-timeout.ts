const slices = 10

/**
 * Calls `onTimeout` when this process has run for `timeoutMs`. Time in which it did not run (a suspended machine, a
 * blocked event loop) does not count, since the server is not to blame for it. Measures the time by ten timers, one
 * after the other: a pause makes only one of them late, so it counts as at most a tenth of `timeoutMs`. Returns a
 * function that cancels the timeout.
 */
export function setActiveTimeout(timeoutMs: number, onTimeout: () => void): () => void {
  let left = slices
  const onSlice = () => {
    left--
    if (left === 0) onTimeout()
    else timer = setTimeout(onSlice, timeoutMs / slices)
  }
  let timer = setTimeout(onSlice, timeoutMs / slices)
  return () => clearTimeout(timer)
}
