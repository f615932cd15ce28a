import type { Difference, EstateTally, Tally } from '../../domain/estate-difference.ts'

/** Formats one difference for `apply --dry-run`, such as `~ facility lyon-01  name: "A" -> "B"`. */
export function differenceLine({ sign, noun, id, changes, lost }: Difference): string {
  const changed = changes.map(({ key, ...values }) =>
    'to' in values ? `${key}: ${JSON.stringify(values.from)} -> ${JSON.stringify(values.to)}` : key,
  )
  const details = [...changed, ...(lost.length > 0 ? [`with ${lost.join(', ')}`] : [])]
  return [`${sign} ${noun} ${id}`, ...(details.length > 0 ? [details.join(', ')] : [])].join('  ')
}

export function summaryLine(tally: EstateTally, dryRun: boolean, seconds: number): string {
  const parts = Object.entries(tally).map(([noun, counts]) => `${noun}: ${formatTally(counts)}`)
  return `${dryRun ? 'Dry run, nothing was changed. ' : ''}${parts.join('; ')} (${seconds.toFixed(1)} s)`
}

function formatTally({ created, updated, removed, unchanged }: Tally): string {
  return `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged`
}
