import { Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { pathWith } from '../../api/client.ts'
import { useList } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { withoutEmpty } from '../../app/search.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Empty, NoMatch, Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { moodOf, StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { AddFacility } from './add.tsx'
import { facilityWords } from './words.ts'

export function FacilitiesPage() {
  const words = useWords(facilityWords)
  const search = useSearch({ from: '/signed-in/facilities' })
  const navigate = useNavigate({ from: '/facilities' })
  const mayEdit = useMay('editor')
  const [adding, dialog] = useDisclosure(false)
  const { q, status, type, sort } = search
  const order = sort ?? 'name'
  const list = useList<Facility>(pathWith('/facilities', { q, status, type, sort: order }))
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  const isFiltered = q !== undefined || status !== undefined || type !== undefined
  const addButton = mayEdit && (
    <Button leftSection={<Icon name="add" size={16} />} onClick={dialog.open}>
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} actions={addButton}>
      <Filters search={search} set={set} />
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={useColumns()}
        {...list}
        rowKey={(row) => row.id_external}
        onOpen={(row) => void navigate({ to: '/facilities/$facilityId', params: { facilityId: row.id_external } })}
        sort={order}
        onSort={(next) => set({ sort: next })}
        empty={
          isFiltered ? (
            <NoMatch title={words.noneTitle} onClear={() => set({ q: '', status: '', type: '' })}>
              {words.none}
            </NoMatch>
          ) : (
            <Empty title={words.emptyTitle} action={addButton}>
              {words.empty}
            </Empty>
          )
        }
      />
      {mayEdit && <AddFacility opened={adding} onClose={dialog.close} />}
    </Page>
  )
}

interface Search {
  q?: string
  status?: string
  type?: string
  sort?: string
}

function Filters({ search, set }: { search: Search; set(change: Search): void }) {
  const words = useWords(facilityWords)
  const choices = (any: string, named: Record<string, string>) => [
    { value: '', label: any },
    ...Object.entries(named).map(([value, label]) => ({ value, label })),
  ]
  return (
    <Group gap="xs" mb="sm" className="filters">
      <SearchBox value={search.q ?? ''} onChange={(q) => set({ q })} />
      <Select
        aria-label={words.anyStatus}
        w={150}
        data={choices(words.anyStatus, words.status)}
        value={search.status ?? ''}
        onChange={(status) => set({ status: status ?? '' })}
      />
      <Select
        aria-label={words.anyType}
        w={150}
        data={choices(words.anyType, words.type)}
        value={search.type ?? ''}
        onChange={(type) => set({ type: type ?? '' })}
      />
    </Group>
  )
}

function useColumns(): Column<Facility>[] {
  const words = useWords(facilityWords)
  const { name, status, type } = useWords(common)
  return [
    {
      key: 'name',
      title: name,
      fill: true,
      sort: 'name',
      cell: (row) => (
        <TextLink
          to="/facilities/$facilityId"
          params={{ facilityId: row.id_external }}
          fw={600}
          size="sm"
          title={row.name}
        >
          {row.name}
        </TextLink>
      ),
    },
    {
      key: 'id',
      title: words.idExternal,
      sort: 'id_external',
      plain: true,
      cell: (row) => <code>{row.id_external}</code>,
    },
    {
      key: 'status',
      title: status,
      keep: true,
      cell: (row) => <StateBadge mood={moodOf(row.status)}>{words.status[row.status] ?? row.status}</StateBadge>,
    },
    { key: 'type', title: type, plain: true, cell: (row) => words.type[row.type] ?? row.type },
    { key: 'city', title: words.city, plain: true, cell: (row) => row.address?.city ?? '' },
    { key: 'rooms', title: words.rooms, number: true, cell: (row) => row.areas_count },
    { key: 'open', title: words.open, number: true, cell: (row) => row.open_count },
    { key: 'devices', title: words.devices, number: true, cell: (row) => row.devices_count },
    {
      key: 'updated',
      title: words.updated,
      sort: 'date_updated',
      cell: (row) => <Ago at={row.date_updated} />,
    },
  ]
}
