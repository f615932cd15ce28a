const slices = 10

/**
 * Calls `onTimeout` after `timeoutMs` in which this process ran. Time in which it did not run (a suspended machine, a
 * blocked event loop) does not count, so that it is not mistaken for a slow server. The time is measured in ten slices:
 * a timer that is late fires once, so a pause counts as one slice at most. Returns a function that cancels the timeout.
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
