import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { segment } from '../../api/client.ts'
import { type Change, useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote, tell, tellProblem } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { WebhookDialogs, type WebhookStep } from './webhook-dialogs.tsx'
import { webhookWords } from './webhook-words.ts'

const moods = { active: 'good', failing: 'warn', disabled: 'bad' } as const

/** Where the partner's events are sent, and how that goes. */
export function Webhooks({ partner }: { partner: string }) {
  const words = useWords(webhookWords)
  const mayEdit = useMay('admin')
  const list = `/partners/${segment(partner)}/webhooks`
  const { data, error } = useRead<Webhook[]>(list)
  const [asked, ask] = useState<WebhookStep>()
  const columns = useColumns(list, ask)
  return (
    <>
      {error && <ProblemNote error={error} />}
      {mayEdit && (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => ask({ step: 'create' })}>{words.add}</Button>
        </Group>
      )}
      <DataTable
        label={words.add}
        columns={columns}
        rows={data?.data}
        error={error}
        rowKey={(row) => row.id}
        height="calc(100dvh - 300px)"
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <WebhookDialogs asked={asked} list={list} onDone={() => ask(undefined)} />
    </>
  )
}

function useColumns(list: string, ask: (step: WebhookStep) => void): Column<Webhook>[] {
  const words = useWords(webhookWords)
  const shared = useWords(common)
  return [
    { key: 'url', title: words.url, fill: true, cell: (row) => <code>{row.url}</code> },
    {
      key: 'types',
      title: words.types,
      wide: true,
      cell: ({ types }) => (types === '*' ? words.all : types.join(', ')),
    },
    { key: 'state', title: words.state, cell: (row) => <State row={row} /> },
    { key: 'actions', title: shared.actions, cell: (row) => <Actions row={row} list={list} ask={ask} /> },
  ]
}

function State({ row }: { row: Webhook }) {
  const words = useWords(webhookWords)
  return (
    <Group gap={6} wrap="nowrap">
      <StateBadge mood={moods[row.state]}>{words.states[row.state]}</StateBadge>
      <Text size="xs" c="dimmed">
        {row.disabled_reason && words.reasons[row.disabled_reason]}
        {row.state === 'failing' && (
          <>
            {words.since} <Ago at={row.failing_since} />
          </>
        )}
      </Text>
    </Group>
  )
}

interface Pinged {
  delivered: boolean
  error: string | null
}

function Actions({ row, list, ask }: { row: Webhook; list: string; ask(step: WebhookStep): void }) {
  const words = useWords(webhookWords)
  const mayEdit = useMay('admin')
  const path = `${list}/${row.id}`
  const ping = useChange<Pinged>([], ({ data }) =>
    tell(data.delivered ? words.pinged : words.notPinged(data.error ?? '')),
  )
  const change = useChange<Webhook>([list])
  const send = (request: Change) => change.mutate(request, { onError: tellProblem })
  const isOff = row.state === 'disabled'
  const action = (name: string, onClick: () => void, isPending = false) => (
    <Button size="compact-xs" variant="default" aria-label={`${name} ${row.url}`} loading={isPending} onClick={onClick}>
      {name}
    </Button>
  )
  return (
    <Group gap={6} wrap="nowrap">
      {action(words.log, () => ask({ step: 'log', row }))}
      {mayEdit && (
        <>
          {action(
            words.ping,
            () => ping.mutate({ method: 'POST', path: `${path}/ping` }, { onError: tellProblem }),
            ping.isPending,
          )}
          {action(isOff ? words.on : words.off, () => send({ method: 'PATCH', path, body: { active: isOff } }))}
          {action(words.rotate, () => ask({ step: 'rotate', row }))}
          {action(words.remove, () => ask({ step: 'remove', row }))}
        </>
      )}
    </Group>
  )
}
