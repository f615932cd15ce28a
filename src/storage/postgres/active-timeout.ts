const slices = 10

/**
 * Calls back after `timeoutMs` of active time: time in which this process did not run, such as a suspended machine or a
 * blocked event loop, does not count, so that it is not mistaken for a slow server. Active time is measured in slices,
 * as a timer that is late fires once. Returns a function that cancels the timeout.
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
