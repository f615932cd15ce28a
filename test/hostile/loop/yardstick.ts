/** What it takes on a machine of ordinary speed: measured on two cores at 2.5 GHz while nobody else had them. */
const ordinaryMs = 2.5
const times = 3
const text = JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ id: `${n}`, name: `Room ${n} é` })))

/**
 * How many times as long as on such a machine the same work takes here and now, and not less than once: processors are
 * shared, and what takes 30 ms at one moment takes 60 at the next.
 */
export function slowness(): number {
  return Math.max(1, Math.min(...Array.from({ length: times }, measure)) / ordinaryMs)
}

function measure(): number {
  const startMs = performance.now()
  JSON.stringify(JSON.parse(text))
  return performance.now() - startMs
}
