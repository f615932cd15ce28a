import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useChange, useRead } from '../../api/hooks.ts'
import type { Session } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { actionsColumn, RowActions } from '../../parts/row-actions.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { browserOf } from './browser-name.ts'
import { settingsWords } from './words.ts'

export function Sessions() {
  const words = useWords(settingsWords)
  const shared = useWords(common)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data, error } = useRead<Session[]>('/sessions')
  const end = useChange(['/sessions'])
  const endAll = useChange([], () => {
    client.clear()
    void navigate({ to: '/sign-in' })
  })
  const nameOf = (agent: string | null) => {
    const { browser, system } = browserOf(agent ?? '')
    if (browser === undefined) return agent ?? words.unknownBrowser
    return system === undefined ? browser : words.onSystem(browser, system)
  }
  const columns: Column<Session>[] = [
    {
      key: 'agent',
      title: words.browser,
      fill: true,
      cell: (row) => (
        <>
          <span title={row.agent ?? undefined}>{nameOf(row.agent)}</span>{' '}
          {row.current && <StateBadge mood="good">{words.current}</StateBadge>}
        </>
      ),
    },
    { key: 'address', title: words.address, plain: true, cell: (row) => row.address ?? '' },
    { key: 'since', title: words.since, cell: (row) => <Ago at={row.date_created} /> },
    { key: 'used', title: shared.lastUsed, cell: (row) => <Ago at={row.last_used} /> },
    actionsColumn(shared.actions, (row) => {
      const run = () => end.mutate({ method: 'DELETE', path: `/sessions/${row.id}` })
      const name = shared.labelled(words.end, nameOf(row.agent))
      return !row.current && <RowActions row={nameOf(row.agent)} actions={[{ label: words.end, name, run }]} />
    }),
  ]
  const problem = error ?? end.error ?? endAll.error
  return (
    <>
      {problem && <ProblemNote error={problem} />}
      <Group justify="flex-end" mb="sm">
        <Text size="sm" c="dimmed">
          {words.endOthersHelp}
        </Text>
        <Button variant="default" onClick={() => endAll.mutate({ method: 'DELETE', path: '/sessions' })}>
          {words.endOthers}
        </Button>
      </Group>
      <DataTable label={words.sessions} columns={columns} rows={data?.data} rowKey={(row) => row.id} empty={null} />
    </>
  )
}
