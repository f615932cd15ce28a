import { Button, Group, Select } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { pathWith } from '../../api/client.ts'
import { useList } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { withoutEmpty } from '../../app/search.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { FilterText } from '../../parts/filter-text.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Empty, NoMatch, Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Reason } from '../../parts/reason.tsx'
import { FacilitySelect, PartnerSelect } from '../../parts/selects.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { duration, ShortDateTime } from '../../parts/time.tsx'
import { TimeRange } from '../../parts/time-range.tsx'
import { usePartnerNames } from '../../parts/use-partner-names.ts'
import { common } from '../../parts/words.ts'
import { type LoggedRequest, moodOfStatus, pathOf, reasonOf } from './logged-request.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { useLive } from './use-live.ts'
import { requestWords } from './words.ts'

export function RequestsPage() {
  const words = useWords(requestWords)
  const { noMatch } = useWords(common)
  const search = useSearch({ from: '/signed-in/requests' })
  const navigate = useNavigate({ from: '/requests' })
  const isAdmin = useMay('admin')
  const [isLive, setLive] = useState(false)
  const [shown, setShown] = useState<LoggedRequest>()
  const list = useList<LoggedRequest>(pathWith('/requests', search))
  useLive(isLive, list.refetch)
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => withoutEmpty({ ...before, ...change }), replace: true })
  const liveButton = (
    <Button
      variant={isLive ? 'filled' : 'default'}
      leftSection={<Icon name="live" size={16} />}
      aria-pressed={isLive}
      onClick={() => setLive(!isLive)}
    >
      {isLive ? words.following : words.follow}
    </Button>
  )
  const actions = (
    <>
      {isAdmin && <ExportMenu path="/requests/export" filters={search} />}
      {liveButton}
    </>
  )
  return (
    <Page title={words.title} actions={actions}>
      <Filters search={search} set={set} />
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={useColumns()}
        {...list}
        rowKey={(row) => String(row.seq)}
        onOpen={setShown}
        empty={
          Object.keys(search).length > 0 ? (
            <NoMatch title={noMatch} onClear={() => void navigate({ search: {}, replace: true })} />
          ) : (
            <Empty title={words.emptyTitle}>{words.empty}</Empty>
          )
        }
      />
      <RequestDrawer request={shown} onClose={() => setShown(undefined)} />
    </Page>
  )
}

type Search = Partial<Record<'partner' | 'status' | 'method' | 'facility' | 'request_id' | 'since' | 'until', string>>

function Filters({ search, set }: { search: Search; set(change: Search): void }) {
  const words = useWords(requestWords)
  return (
    <Group gap="xs" mb="sm" className="filters">
      <PartnerSelect
        data-search
        aria-label={words.partner}
        placeholder={words.partner}
        w={220}
        value={search.partner}
        onChange={(partner) => set({ partner })}
      />
      <Select
        aria-label={words.status}
        w={190}
        data={[
          { value: '', label: words.anyStatus },
          ...Object.entries(words.statuses).map(([value, label]) => ({ value, label })),
        ]}
        value={search.status ?? ''}
        onChange={(status) => set({ status: status ?? '' })}
      />
      <Select
        aria-label={words.anyMethod}
        w={150}
        data={[{ value: '', label: words.anyMethod }, ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE']]}
        value={search.method ?? ''}
        onChange={(method) => set({ method: method ?? '' })}
      />
      <FacilitySelect
        aria-label={words.facility}
        placeholder={words.facility}
        w={220}
        value={search.facility}
        onChange={(facility) => set({ facility })}
      />
      <FilterText label={words.requestId} value={search.request_id} onEnter={(request_id) => set({ request_id })} />
      <TimeRange period={search} onChange={set} />
    </Group>
  )
}

function useColumns(): Column<LoggedRequest>[] {
  const words = useWords(requestWords)
  const { language } = useLanguage()
  const nameOf = usePartnerNames()
  return [
    { key: 'at', title: words.at, plain: true, cell: (row) => <ShortDateTime at={row.at} /> },
    {
      key: 'partner',
      title: words.partner,
      plain: true,
      cell: ({ partner }) => partner && <span title={partner}>{nameOf(partner) ?? partner}</span>,
    },
    {
      key: 'request',
      title: words.request,
      fill: true,
      cell: (row) => <code>{`${row.method} ${pathOf(row) ?? row.route ?? ''}`}</code>,
    },
    {
      key: 'status',
      title: words.status,
      keep: true,
      cell: (row) => <StateBadge mood={moodOfStatus(row.status)}>{row.status}</StateBadge>,
    },
    { key: 'code', title: words.code, plain: true, cell: (row) => <Reason code={row.code} as={reasonOf(row)} /> },
    {
      key: 'duration',
      title: words.duration,
      number: true,
      plain: true,
      cell: (row) => duration(row.duration_ms, language),
    },
  ]
}
