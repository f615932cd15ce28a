import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Reason } from '../../parts/reason.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'

export interface Turn {
  method: string
  route: string
  facility: string | null
  area: string | null
  count: number
  last_at: string
  code: string
}

export interface Outcome {
  checked: number
  turns_refused: Turn[]
  turns_allowed: Turn[]
  not_checked: number
}

const turnWords = defineWords(
  {
    refused: 'would be refused',
    allowed: 'would be allowed',
    change: 'Effect',
    request: 'Request',
    facility: 'Facility',
    rooms: (count: number) => (count === 1 ? '1 room' : `${count} rooms`),
    count: 'Requests',
    last: 'Last',
    why: 'Reason',
  },
  {
    refused: 'serait refusée',
    allowed: 'serait autorisée',
    change: 'Effet',
    request: 'Requête',
    facility: 'Établissement',
    rooms: (count: number) => (count < 2 ? `${count} chambre` : `${count} chambres`),
    count: 'Requêtes',
    last: 'Dernière',
    why: 'Motif',
  },
)

interface Row extends Turn {
  turns: 'refused' | 'allowed'
  rooms: number
}

interface Props {
  refused: Turn[]
  allowed: Turn[]
  height: string
}

/** Table of requests with a different decision, one row per route and facility, the most frequent first. */
export function ChangedDecisions({ refused, allowed, height }: Props) {
  const words = useWords(turnWords)
  const rows = [...grouped(refused, 'refused'), ...grouped(allowed, 'allowed')]
  const columns: Column<Row>[] = [
    {
      key: 'turns',
      title: words.change,
      cell: (row) => <StateBadge mood={row.turns === 'refused' ? 'bad' : 'good'}>{words[row.turns]}</StateBadge>,
    },
    { key: 'request', title: words.request, fill: true, cell: (row) => <code>{`${row.method} ${row.route}`}</code> },
    {
      key: 'facility',
      title: words.facility,
      cell: (row) => `${row.facility ?? ''}${row.rooms > 0 ? ` (${words.rooms(row.rooms)})` : ''}`,
    },
    { key: 'count', title: words.count, number: true, cell: (row) => row.count },
    { key: 'last', title: words.last, wide: true, cell: (row) => <Ago at={row.last_at} /> },
    { key: 'why', title: words.why, wide: true, cell: (row) => <Reason code={row.code} /> },
  ]
  return (
    <DataTable
      label={words.change}
      columns={allowed.length === 0 ? columns.slice(1) : columns}
      rows={rows}
      rowKey={keyOf}
      height={height}
      empty={null}
    />
  )
}

const keyOf = ({ turns, method, route, facility }: Omit<Row, 'rooms'>) => `${turns} ${method} ${route} ${facility}`

function grouped(turns: Turn[], kind: Row['turns']): Row[] {
  const groups = Map.groupBy(turns, (turn) => keyOf({ ...turn, turns: kind }))
  return [...groups.values()]
    .map((same) => ({
      ...(same[0] as Turn),
      turns: kind,
      rooms: new Set(same.flatMap(({ area }) => area ?? [])).size,
      count: same.reduce((sum, { count }) => sum + count, 0),
      last_at:
        same
          .map((turn) => turn.last_at)
          .sort()
          .at(-1) ?? '',
    }))
    .sort((a, b) => b.count - a.count)
}
