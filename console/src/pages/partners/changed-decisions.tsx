import { Text } from '@mantine/core'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Reason } from '../../parts/reason.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { useFacilityNames } from '../../parts/use-facility-names.ts'
import { actionOf, routeWords } from './route-words.ts'

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
    notChecked: (count: number) =>
      count === 1
        ? '1 more request could not be checked: it names a path, facility or room that does not exist, or too little of it was logged.'
        : `${count.toLocaleString('en')} more requests could not be checked: they name a path, facility or room that does not exist, or too little of them was logged.`,
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
    notChecked: (count: number) =>
      count < 2
        ? 'Une autre requête n’a pas pu être vérifiée : elle vise un chemin, un établissement ou une chambre qui n’existe pas, ou le journal n’en dit pas assez.'
        : `${count.toLocaleString('fr')} autres requêtes n’ont pas pu être vérifiées : elles visent un chemin, un établissement ou une chambre qui n’existe pas, ou le journal n’en dit pas assez.`,
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
  const nameOf = useFacilityNames([...new Set(rows.flatMap(({ facility }) => facility ?? []))])
  const place = ({ facility, rooms }: Row) => {
    const name = nameOf(facility ?? '')
    return `${name ? `${name} · ` : ''}${facility ?? ''}${rooms > 0 ? ` (${words.rooms(rooms)})` : ''}`
  }
  const columns: Column<Row>[] = [
    {
      key: 'turns',
      title: words.change,
      keep: true,
      cell: (row) => <StateBadge mood={row.turns === 'refused' ? 'bad' : 'good'}>{words[row.turns]}</StateBadge>,
    },
    { key: 'request', title: words.request, fill: true, cell: (row) => <Request {...row} /> },
    {
      key: 'facility',
      title: words.facility,
      plain: true,
      cell: place,
    },
    { key: 'count', title: words.count, number: true, keep: true, cell: (row) => row.count },
    { key: 'last', title: words.last, cell: (row) => <Ago at={row.last_at} /> },
    { key: 'why', title: words.why, plain: true, cell: ({ code }) => <Reason code={code} as={reasonOf(code)} /> },
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

/** All rooms of the table exist: a partner that may not see one gets the response that there is none. */
const reasonOf = (code: string) => (code === 'area_not_found' ? 'area_not_granted' : code)

/** Names what the partner does. */
function Request({ method, route }: Row) {
  const action = actionOf(method, route, useWords(routeWords))
  const path = <code>{`${method} ${route}`}</code>
  if (action === undefined) return path
  return (
    <>
      {action}
      <Text size="xs" c="dimmed">
        {path}
      </Text>
    </>
  )
}

/** Says how many requests a dry run left out, and why. */
export function NotChecked({ count }: { count: number }) {
  const words = useWords(turnWords)
  if (count === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {words.notChecked(count)}
    </Text>
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
