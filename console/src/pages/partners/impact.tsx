import { Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ApiResponse, call, type Problem, segment } from '../../api/client.ts'
import type { Grant } from '../../api/types.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { Note } from '../../parts/note.tsx'
import { useProblemText } from '../../parts/problem.tsx'
import { ChangedDecisions, NotChecked, type Outcome } from './changed-decisions.tsx'

const impactWords = defineWords(
  {
    looking: 'Checking against the requests of the last 7 days…',
    refused: (count: number) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'} of the last 7 days would be refused`,
    none: (checked: number) =>
      checked === 1
        ? 'The one request of the last 7 days would not be refused.'
        : `None of the ${checked.toLocaleString('en')} requests of the last 7 days would be refused.`,
    noData: 'There were no requests in the last 7 days, so the effect cannot be predicted.',
    failed: 'The effect could not be checked. You can still save.',
  },
  {
    looking: 'Vérification sur les requêtes des 7 derniers jours…',
    refused: (count: number) =>
      count === 1
        ? '1 requête des 7 derniers jours serait refusée'
        : `${count.toLocaleString('fr')} requêtes des 7 derniers jours seraient refusées`,
    none: (checked: number) =>
      checked === 1
        ? 'La seule requête des 7 derniers jours ne serait pas refusée.'
        : `Aucune des ${checked.toLocaleString('fr')} requêtes des 7 derniers jours ne serait refusée.`,
    noData: 'Aucune requête ces 7 derniers jours : l’effet ne peut pas être prévu.',
    failed: 'L’effet n’a pas pu être vérifié. Vous pouvez tout de même enregistrer.',
  },
)

/** Permissions of the draft. */
export interface RightsDraft {
  grants: Grant[]
  webhooks?: boolean | undefined
}

/** Timeout of the dry run, so that a slow one does not prevent saving. */
const timeoutMs = 20_000

export function useImpact(partner: string, draft: RightsDraft, enabled: boolean) {
  return useQuery<ApiResponse<Outcome>, Problem>({
    queryKey: ['rehearsal', partner, draft],
    queryFn: ({ signal }) =>
      call<Outcome>('POST', `/partners/${segment(partner)}/rehearsal`, {
        body: { ...draft, days: 7 },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }),
    enabled,
    retry: false,
    gcTime: 0,
  })
}

/** Returns the logged requests of the partner that a change would have refused. */
export function Impact({ impact }: { impact: ReturnType<typeof useImpact> }) {
  const words = useWords(impactWords)
  const { title, text } = useProblemText(impact.error)
  const outcome = impact.data?.data
  if (impact.error) {
    return (
      <Note mood="warn" title={words.failed}>
        {text || title}
      </Note>
    )
  }
  if (outcome === undefined) {
    return (
      <Text size="sm" role="status">
        <Loader size="xs" mr={8} />
        {words.looking}
      </Text>
    )
  }
  const { checked, not_checked: notChecked, turns_refused: refused } = outcome
  const count = refused.reduce((sum, turn) => sum + turn.count, 0)
  if (checked === 0) {
    return (
      <Note mood="warn">
        {words.noData}
        <NotChecked count={notChecked} />
      </Note>
    )
  }
  return (
    <div role="status">
      {count === 0 ? (
        <Text size="sm">{words.none(checked)}</Text>
      ) : (
        <Text size="sm" fw={600} c="var(--bad)" mb={6}>
          {words.refused(count)}
        </Text>
      )}
      {count > 0 && <ChangedDecisions refused={refused} allowed={[]} height="240px" />}
      <NotChecked count={notChecked} />
    </div>
  )
}
