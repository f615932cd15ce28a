import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Key, Operator } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import type { SecretRow } from '../../parts/secret-row.ts'
import { TokenTable } from '../../parts/token-table.tsx'
import { tokenWords } from '../../parts/token-words.ts'
import { settingsWords } from './words.ts'

export function Keys() {
  const words = useWords(tokenWords)
  const { owner } = useWords(settingsWords)
  const isAdmin = useMay('admin')
  const { data, error } = useRead<Key[]>('/keys')
  const operators = useRead<Operator[]>('/operators', { enabled: isAdmin })
  const nameOf = new Map(operators.data?.data.map(({ id, name }) => [id, name]))
  return (
    <>
      {error && <ProblemNote error={error} />}
      <TokenTable
        rows={data?.data.map((key) => ({ ...key, state: stateOf(key), owner: nameOf.get(key.operator) ?? '' }))}
        base="/keys"
        list="/keys"
        createLabel={words.newKey}
        {...(isAdmin && { ownerLabel: owner })}
        empty={<Empty title={words.noKeys}>{words.noKeysHelp}</Empty>}
      />
    </>
  )
}

const soonMs = 14 * 86_400_000

function stateOf({ revoked_at: revoked, expires_at: expires }: Key): SecretRow['state'] {
  if (revoked !== null) return 'revoked'
  const leftMs = expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires) - Date.now()
  return leftMs <= 0 ? 'expired' : leftMs < soonMs ? 'expiring' : 'active'
}
