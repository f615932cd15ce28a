/** Reference time, measured on two idle cores at 2.5 GHz. */
const ordinaryMs = 2.5
const times = 3
const text = JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ id: `${n}`, name: `Room ${n} é` })))

/**
 * Returns how much slower this machine is now than the reference, at least 1. Measured each time, since shared CPUs
 * vary: the same work can take 30 ms at one moment and 60 ms at the next.
 */
export function slowness(): number {
  return Math.max(1, Math.min(...Array.from({ length: times }, measure)) / ordinaryMs)
}

function measure(): number {
  const startMs = performance.now()
  JSON.stringify(JSON.parse(text))
  return performance.now() - startMs
}
