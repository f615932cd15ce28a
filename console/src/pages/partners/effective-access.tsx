import { grantFields, rightKinds } from '../../../../src/domain/access/grant-difference.ts'
import { pathWith, segment } from '../../api/client.ts'
import { useList } from '../../api/hooks.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Faint } from '../../parts/faint.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { rightWords } from './right-words.ts'

interface AccessRow {
  facility: string
  name: string
  read: string[]
  write: string[]
  rooms: string[]
  grants: number[]
}

const accessWords = defineWords(
  {
    title: 'Permissions by facility',
    facility: 'Facility',
    read: 'Read',
    write: 'Write',
    rooms: 'Rooms',
    all: 'all',
    none: 'none',
    grants: 'Permission',
    emptyTitle: 'This partner sees no facility',
    empty: 'Add a permission under Permissions.',
  },
  {
    title: 'Autorisations par établissement',
    facility: 'Établissement',
    read: 'Lecture',
    write: 'Écriture',
    rooms: 'Chambres',
    all: 'tout',
    none: 'rien',
    grants: 'Autorisation',
    emptyTitle: 'Ce partenaire ne voit aucun établissement',
    empty: 'Ajoutez une autorisation sous Autorisations.',
  },
)

/** The saved permissions, all grants combined. */
export function EffectiveAccess({ partner }: { partner: string }) {
  const words = useWords(accessWords)
  const list = useList<AccessRow>(pathWith(`/partners/${segment(partner)}/access`, {}))
  const columns: Column<AccessRow>[] = [
    {
      key: 'facility',
      title: words.facility,
      fill: true,
      cell: (row) => (
        <TextLink to="/facilities/$facilityId" params={{ facilityId: row.facility }} size="sm" fw={600}>
          {`${row.name} · ${row.facility}`}
        </TextLink>
      ),
    },
    ...rightKinds.map((kind) => ({
      key: kind,
      title: words[kind],
      cell: (row: AccessRow) => <Fields granted={row[kind]} all={grantFields[kind].length} />,
    })),
    { key: 'grants', title: words.grants, cell: (row) => row.grants.map((at) => at + 1).join(', ') },
  ]
  return (
    <>
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={columns}
        {...list}
        rowKey={(row) => row.facility}
        empty={<Empty title={words.emptyTitle}>{words.empty}</Empty>}
      />
    </>
  )
}

function Fields({ granted, all }: { granted: string[]; all: number }) {
  const words = useWords(accessWords)
  const { fields } = useWords(rightWords)
  if (granted.length === all) return <strong>{words.all}</strong>
  if (granted.length === 0) return <Faint>{words.none}</Faint>
  return <span title={granted.join(', ')}>{granted.map((field) => fields[field] ?? field).join(', ')}</span>
}
