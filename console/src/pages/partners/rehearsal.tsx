import { Button, Group, Text } from '@mantine/core'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Grant } from '../../api/types.ts'
import { defineWords, useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'

interface Turn {
  method: string
  route: string
  facility: string | null
  area: string | null
  count: number
  last_at: string
  code: string
}

interface Outcome {
  checked: number
  turns_refused: Turn[]
  turns_allowed: Turn[]
  not_checked: number
}

const rehearsalWords = defineWords(
  {
    run: 'Rehearse this change',
    help: 'Runs the requests of the last 7 days against the draft. Nothing is changed.',
    result: (checked: number, refused: number, allowed: number) =>
      `${checked} requests looked at. Kinds that would be refused: ${refused}; that would newly be allowed: ${allowed}.`,
    nothing: 'No request of the last days would be answered differently.',
    refused: 'refused from now on',
    allowed: 'allowed from now on',
    change: 'Change',
    request: 'Request',
    facility: 'Facility',
    count: 'Times',
    last: 'Last',
    why: 'Why',
  },
  {
    run: 'Répéter ce changement',
    help: 'Rejoue les requêtes des 7 derniers jours avec le brouillon. Rien n’est modifié.',
    result: (checked: number, refused: number, allowed: number) =>
      `${checked} requêtes examinées. Sortes qui seraient refusées : ${refused} ; désormais permises : ${allowed}.`,
    nothing: 'Aucune requête des derniers jours n’aurait une autre réponse.',
    refused: 'refusé désormais',
    allowed: 'permis désormais',
    change: 'Changement',
    request: 'Requête',
    facility: 'Établissement',
    count: 'Fois',
    last: 'Dernière',
    why: 'Raison',
  },
)

type Row = Turn & { turns: 'refused' | 'allowed' }

/** What the draft would mean for the partner's own requests. */
export function Rehearsal({ partner, grants }: { partner: string; grants: Grant[] }) {
  const words = useWords(rehearsalWords)
  const run = useChange<Outcome>([])
  const outcome = run.data?.data
  const rows: Row[] = [
    ...(outcome?.turns_refused.map((turn) => ({ ...turn, turns: 'refused' as const })) ?? []),
    ...(outcome?.turns_allowed.map((turn) => ({ ...turn, turns: 'allowed' as const })) ?? []),
  ]
  const columns: Column<Row>[] = [
    {
      key: 'turns',
      title: words.change,
      cell: (row) => <StateBadge mood={row.turns === 'refused' ? 'bad' : 'good'}>{words[row.turns]}</StateBadge>,
    },
    { key: 'request', title: words.request, fill: true, cell: (row) => <code>{`${row.method} ${row.route}`}</code> },
    { key: 'facility', title: words.facility, wide: true, cell: (row) => row.area ?? row.facility ?? '' },
    { key: 'count', title: words.count, number: true, cell: (row) => row.count },
    { key: 'last', title: words.last, wide: true, cell: (row) => <Ago at={row.last_at} /> },
    { key: 'why', title: words.why, wide: true, cell: (row) => row.code },
  ]
  return (
    <section>
      <Group my="md">
        <Button
          variant="default"
          leftSection={<Icon name="audit" size={16} />}
          loading={run.isPending}
          onClick={() =>
            run.mutate({ method: 'POST', path: `/partners/${segment(partner)}/rehearsal`, body: { grants, days: 7 } })
          }
        >
          {words.run}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {outcome
            ? words.result(outcome.checked, outcome.turns_refused.length, outcome.turns_allowed.length)
            : words.help}
        </Text>
      </Group>
      {run.error && <ProblemNote error={run.error} />}
      {outcome && rows.length === 0 && <Text size="sm">{words.nothing}</Text>}
      {rows.length > 0 && (
        <DataTable
          label={words.change}
          columns={columns}
          rows={rows}
          rowKey={(row) => `${row.turns} ${row.method} ${row.route} ${row.facility} ${row.area}`}
          height="320px"
          empty={null}
        />
      )}
    </section>
  )
}
