import type { Grant } from '../../domain/access/grant.ts'
import { type LostAccess, lostAccess, rightKinds } from '../../domain/access/grant-difference.ts'
import type { Change, Difference, EstateTally, Tally } from '../../domain/estate-difference.ts'

/** Formats one difference for `apply --dry-run`, such as `~ facility lyon-01  name: "A" -> "B"`. */
export function differenceLine({ sign, noun, id, changes, lost }: Difference): string {
  const details = [...changes.map(changeText), ...(lost.length > 0 ? [`with ${lost.join(', ')}`] : [])]
  return [`${sign} ${noun} ${id}`, ...(details.length > 0 ? [details.join(', ')] : [])].join('  ')
}

function changeText({ key, logged, ...values }: Change): string {
  if (key === 'grants' && logged !== undefined && 'after' in logged) {
    const [before, after] = [logged.before, logged.after] as [Grant[], Grant[]]
    const removed = lostAccess(before, after).map((lost) => ` -(${accessText(lost)})`)
    const added = lostAccess(after, before).map((gained) => ` +(${accessText(gained)})`)
    return [key, ...removed, ...added].join('')
  }
  return 'to' in values ? `${key}: ${JSON.stringify(values.from)} -> ${JSON.stringify(values.to)}` : key
}

/** Formats permissions, such as `lyon-01, nice-02: visible; read address, areas`. */
function accessText({ facilities, isWhole, rights }: LostAccess): string {
  const places = facilities?.map((id) => (id === '*' ? 'all others' : id)) ?? ['all facilities']
  const kinds = rightKinds.flatMap((kind) => {
    const fields = rights.filter((right) => right.kind === kind).map(({ field }) => field)
    return fields.length > 0 ? [`${kind} ${fields.join(', ')}`] : []
  })
  return `${places.join(', ')}: ${[...(isWhole ? ['visible'] : []), ...kinds].join('; ')}`
}

export function summaryLine(tally: EstateTally, dryRun: boolean, seconds: number): string {
  const parts = Object.entries(tally).map(([noun, counts]) => `${noun}: ${formatTally(counts)}`)
  return `${dryRun ? 'Dry run, nothing was changed. ' : ''}${parts.join('; ')} (${seconds.toFixed(1)} s)`
}

function formatTally({ created, updated, removed, unchanged }: Tally): string {
  return `${created} created, ${updated} updated, ${removed} removed, ${unchanged} unchanged`
}
