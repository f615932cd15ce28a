import { Button, Checkbox, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { pathWith, segment } from '../../api/client.ts'
import { useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Area, Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { withoutEmpty } from '../../app/search.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Note } from '../../parts/note.tsx'
import { Empty, NoMatch } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { AddRooms } from './add-rooms.tsx'
import { CloseRooms } from './close-rooms.tsx'
import { FloorGrid } from './floor-grid.tsx'
import { ImportRooms } from './import-rooms.tsx'
import { RemoveRooms } from './remove-rooms.tsx'
import { RoomDrawer } from './room-drawer.tsx'
import { roomWords } from './room-words.ts'
import classes from './rooms.module.css'

export function Rooms({ facility }: { facility: Facility }) {
  const words = useWords(roomWords)
  const search = useSearch({ from: '/signed-in/facilities/$facilityId' })
  const navigate = useNavigate({ from: '/facilities/$facilityId' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isGrid = search.view === 'grid'
  const path = `/facilities/${segment(facility.id_external)}/areas`
  const { q, open, room } = search
  const list = useList<Area>(pathWith(path, { q, open, limit: isGrid ? 1000 : undefined }))
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  const columns = useColumns(facility, list.rows, chosen, setChosen)
  const isFiltered = q !== undefined || open !== undefined
  const { shown, isAbsent } = useRoom(facility, list.rows, room)
  return (
    <>
      <Toolbar facility={facility} search={search} set={set} example={list.rows?.[0]} />
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      {isAbsent && <Note mood="warn">{words.absent(room ?? '')}</Note>}
      {isGrid && list.rows && list.rows.length > 0 ? (
        <FloorGrid
          rows={list.rows}
          hasMore={list.hasMore}
          loadMore={list.loadMore}
          onOpen={({ id }) => set({ room: id })}
        />
      ) : (
        <DataTable
          label={words.rooms}
          columns={columns}
          {...list}
          rowKey={(row) => row.id}
          onOpen={({ id }) => set({ room: id })}
          empty={
            isFiltered ? (
              <NoMatch title={words.noneTitle} onClear={() => set({ q: '', open: '' })} />
            ) : (
              <Empty title={words.emptyTitle}>{words.empty}</Empty>
            )
          }
        />
      )}
      {chosen.size > 0 && (
        <Selection count={chosen.size} onClear={() => setChosen(new Set())}>
          <CloseRooms
            facility={facility}
            rooms={(list.rows ?? []).filter(({ id }) => chosen.has(id))}
            onClosed={(ids) => setChosen(without(chosen, ids))}
          />
          <RemoveRooms facility={facility} ids={[...chosen]} onRemoved={() => setChosen(new Set())} />
        </Selection>
      )}
      <RoomDrawer
        facility={facility}
        area={shown}
        onClose={() => set({ room: '' })}
        onMoved={(moved) => set({ room: moved })}
      />
    </>
  )
}

/** Returns the room named in the address, also if the list has not loaded it yet. */
function useRoom(facility: Facility, rows: Area[] | undefined, room: string | undefined) {
  const listed = rows?.find(({ id }) => id === room)
  const isElsewhere = room !== undefined && rows !== undefined && listed === undefined
  const path = `/areas/${segment(`${facility.id_external}-${room}`)}`
  const { data, error } = useRead<Area>(path, { enabled: isElsewhere })
  return {
    shown: listed ?? (isElsewhere ? data?.data : undefined),
    isAbsent: isElsewhere && error?.code === 'area_not_found',
  }
}

interface Search {
  q?: string
  open?: string
  view?: string
}

interface ToolbarProps {
  facility: Facility
  search: Search
  set(change: Search): void
  /** An existing room, whose name is a pattern for new ones. */
  example: Area | undefined
}

function Toolbar({ facility, search, set, example }: ToolbarProps) {
  const words = useWords(roomWords)
  const mayEdit = useMay('editor')
  const [adding, add] = useDisclosure(false)
  const [importing, file] = useDisclosure(false)
  const states = [
    { value: '', label: words.anyState },
    { value: 'true', label: words.onlyOpen },
    { value: 'false', label: words.onlyClosed },
  ]
  return (
    <Group gap="xs" mb="sm" className="filters">
      <SearchBox value={search.q ?? ''} onChange={(q) => set({ q })} />
      <Select
        aria-label={words.state}
        w={200}
        data={states}
        value={search.open ?? ''}
        onChange={(open) => set({ open: open ?? '' })}
      />
      <SegmentedControl
        aria-label={words.view}
        value={search.view ?? 'table'}
        onChange={(view) => set({ view: view === 'table' ? '' : view })}
        data={[
          { value: 'table', label: words.table },
          { value: 'grid', label: words.grid },
        ]}
      />
      {mayEdit && (
        <Group gap="xs" ml="auto">
          <Button variant="default" leftSection={<Icon name="upload" size={16} />} onClick={file.open}>
            {words.importCsv}
          </Button>
          <Button leftSection={<Icon name="add" size={16} />} onClick={add.open}>
            {words.addRooms}
          </Button>
          <AddRooms facility={facility} example={example} opened={adding} onClose={add.close} />
          <ImportRooms facility={facility} opened={importing} onClose={file.close} />
        </Group>
      )}
    </Group>
  )
}

/** Actions on the selected rooms, below the table, so that no row moves under the pointer. */
function Selection({ count, onClear, children }: { count: number; onClear(): void; children: ReactNode }) {
  const words = useWords(roomWords)
  return (
    <Group gap="xs" className={classes.selection}>
      <Text size="sm" fw={600} role="status">
        {words.chosen(count)}
      </Text>
      {children}
      <Button variant="subtle" onClick={onClear}>
        {words.clearSelection}
      </Button>
    </Group>
  )
}

function without(chosen: ReadonlySet<string>, ids: string[]): ReadonlySet<string> {
  return new Set([...chosen].filter((id) => !ids.includes(id)))
}

function useColumns(
  facility: Facility,
  rows: Area[] | undefined = [],
  chosen: ReadonlySet<string>,
  setChosen: (ids: ReadonlySet<string>) => void,
): Column<Area>[] {
  const words = useWords(roomWords)
  const { name } = useWords(common)
  const mayEdit = useMay('editor')
  const toggle = (id: string) => setChosen(chosen.has(id) ? without(chosen, [id]) : new Set([...chosen, id]))
  const ids = rows.map((row) => row.id)
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id))
  const choice: Column<Area> = {
    key: 'choice',
    title: words.chooseAll,
    keep: true,
    head: (
      <Checkbox
        size="xs"
        aria-label={words.chooseAll}
        checked={isAll}
        disabled={ids.length === 0}
        indeterminate={!isAll && ids.some((id) => chosen.has(id))}
        onChange={() => setChosen(isAll ? without(chosen, ids) : new Set([...chosen, ...ids]))}
      />
    ),
    cell: (row) => (
      <Checkbox
        size="xs"
        aria-label={words.choose(row.name)}
        checked={chosen.has(row.id)}
        onChange={() => toggle(row.id)}
      />
    ),
  }
  const services: Column<Area> = {
    key: 'services',
    title: words.services,
    cell: (row) => words.valid(row.services_valid, row.services_count),
  }
  return [
    ...(mayEdit ? [choice] : []),
    { key: 'id', title: words.id, plain: true, cell: (row) => <code>{row.id}</code> },
    { key: 'name', title: name, fill: true, cell: (row) => row.name },
    {
      key: 'state',
      title: words.state,
      keep: true,
      cell: (row) => (
        <StateBadge mood={row.opened_at === null ? 'plain' : 'good'}>
          {row.opened_at === null ? words.closed : words.open}
        </StateBadge>
      ),
    },
    { key: 'since', title: words.opened, cell: (row) => row.opened_at && <Ago at={row.opened_at} /> },
    ...(facility.room_services ? [services] : []),
  ]
}
