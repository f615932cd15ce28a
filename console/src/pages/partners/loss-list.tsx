import { List, Text } from '@mantine/core'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { useFacilityNames } from '../../parts/use-facility-names.ts'
import { grantFields, kinds } from './grant-fields.ts'
import type { Loss } from './losses.ts'
import { rightWords } from './right-words.ts'

const lossWords = defineWords(
  {
    all: 'This partner would lose all permissions and no longer see anything.',
    intro: 'The partner would lose:',
    everywhere: 'all facilities',
    others: 'all facilities not named in a permission',
    whole: 'Everything',
    more: (count: number) => `${count} more`,
    rights: (kind: string, fields: string) => `${kind}: ${fields}`,
    every: 'everything',
    between: '; ',
  },
  {
    all: 'Ce partenaire perdrait toutes ses autorisations et ne verrait plus rien.',
    intro: 'Le partenaire perdrait :',
    everywhere: 'tous les établissements',
    others: 'tous les établissements non cités dans une autorisation',
    whole: 'Tout',
    more: (count: number) => `${count} de plus`,
    rights: (kind: string, fields: string) => `${kind} : ${fields}`,
    every: 'tout',
    between: ' ; ',
  },
)

const maxNames = 5
const maxLines = 8

/** Lists the permissions that a change of grants removes; facilities that lose the same share a line. */
export function LossList({ losses, isAll }: { losses: Loss[]; isAll: boolean }) {
  const words = useWords(lossWords)
  if (isAll) {
    return (
      <Text size="sm" fw={600} mb="sm">
        {words.all}
      </Text>
    )
  }
  return (
    <>
      <Text size="sm">{words.intro}</Text>
      <List size="sm" mb="sm">
        {losses.slice(0, maxLines).map((loss) => (
          <List.Item key={`${loss.facilities?.[0]}`}>
            <Line loss={loss} />
          </List.Item>
        ))}
        {losses.length > maxLines && <List.Item>{words.more(losses.length - maxLines)}</List.Item>}
      </List>
    </>
  )
}

function Line({ loss: { facilities, isWhole, rights } }: { loss: Loss }) {
  const words = useWords(lossWords)
  const names = useWords(rightWords)
  const named = facilities?.slice(0, maxNames) ?? []
  const nameOf = useFacilityNames(named.filter((id) => id !== '*'))
  const shown = named.map((id) => (id === '*' ? words.others : nameOf(id) ? `${nameOf(id)} · ${id}` : id))
  const left = (facilities?.length ?? 0) - named.length
  const lost = kinds.flatMap((kind) => {
    const fields = rights.filter((right) => right.kind === kind).map(({ field }) => names.fields[field] ?? field)
    if (fields.length === 0) return []
    return words.rights(names.kinds[kind], fields.length === grantFields[kind].length ? words.every : fields.join(', '))
  })
  const where = facilities === undefined ? [words.everywhere] : [...shown, ...(left > 0 ? [words.more(left)] : [])]
  return (
    <>
      <strong title={rights.map(({ kind, field }) => `${kind}: ${field}`).join(', ') || undefined}>
        {isWhole ? words.whole : lost.join(words.between)}
      </strong>{' '}
      – {where.join(', ')}
    </>
  )
}
