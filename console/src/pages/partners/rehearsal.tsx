import { Button, Group, Text } from '@mantine/core'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { defineWords } from '../../app/define-words.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ChangedDecisions, NotChecked, type Outcome, type Turn } from './changed-decisions.tsx'
import type { RightsDraft } from './impact.tsx'

const rehearsalWords = defineWords(
  {
    run: 'Rehearse this change',
    help: 'Checks your changes against the requests of the last 7 days. Nothing is saved.',
    result: (checked: string, refused: string, allowed: string) =>
      `Of ${checked} requests, ${refused} would be refused and ${allowed} newly allowed.`,
    nothing: 'No request of the last 7 days would get a different response.',
    noData: 'There were no requests in the last 7 days to check against.',
  },
  {
    run: 'Simuler cette modification',
    help: 'Vérifie vos modifications sur les requêtes des 7 derniers jours. Rien n’est enregistré.',
    result: (checked: string, refused: string, allowed: string) =>
      `Requêtes vérifiées : ${checked}. Seraient refusées : ${refused}. Seraient désormais autorisées : ${allowed}.`,
    nothing: 'Aucune requête des 7 derniers jours ne recevrait une autre réponse.',
    noData: 'Aucune requête ces 7 derniers jours : rien à vérifier.',
  },
)

/** Dry run of the draft on the partner's logged requests. */
export function Rehearsal({ partner, draft }: { partner: string; draft: RightsDraft }) {
  const words = useWords(rehearsalWords)
  const run = useChange<Outcome>([])
  const outcome = run.data?.data
  return (
    <section>
      <Group my="md">
        <Button
          variant="default"
          leftSection={<Icon name="audit" size={16} />}
          loading={run.isPending}
          onClick={() =>
            run.mutate({
              method: 'POST',
              path: `/partners/${segment(partner)}/rehearsal`,
              body: { ...draft, days: 7 },
            })
          }
        >
          {words.run}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {outcome ? <Result outcome={outcome} /> : words.help}
        </Text>
      </Group>
      {run.error && <ProblemNote error={run.error} />}
      {outcome && outcome.turns_refused.length + outcome.turns_allowed.length > 0 && (
        <ChangedDecisions refused={outcome.turns_refused} allowed={outcome.turns_allowed} height="320px" />
      )}
      {outcome && <NotChecked count={outcome.not_checked} />}
    </section>
  )
}

function Result({ outcome }: { outcome: Outcome }) {
  const { language } = useLanguage()
  const words = useWords(rehearsalWords)
  const { checked, turns_refused: refused, turns_allowed: allowed } = outcome
  if (checked === 0) return words.noData
  if (refused.length + allowed.length === 0) return words.nothing
  const [all = '', less = '', more = ''] = [checked, sum(refused), sum(allowed)].map((n) => n.toLocaleString(language))
  return words.result(all, less, more)
}

const sum = (turns: Turn[]) => turns.reduce((all, { count }) => all + count, 0)
