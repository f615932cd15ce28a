import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { segment } from '../../api/client.ts'
import { type Change, useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Empty } from '../../parts/page.tsx'
import { notify, notifyProblem, ProblemNote } from '../../parts/problem.tsx'
import { actionsColumn, RowActions } from '../../parts/row-actions.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { WebhookDialogs, type WebhookStep } from './webhook-dialogs.tsx'
import { webhookWords } from './webhook-words.ts'

const refetchMs = 5000

const moods = { active: 'good', failing: 'warn', disabled: 'bad' } as const

/** The webhooks of a partner with their state. */
export function Webhooks({ partner }: { partner: string }) {
  const words = useWords(webhookWords)
  const mayEdit = useMay('admin')
  const list = `/partners/${segment(partner)}/webhooks`
  const { data, error } = useRead<Webhook[]>(list, { refetchMs })
  const [active, setActive] = useState<WebhookStep>()
  const columns = useColumns(list, setActive)
  return (
    <>
      {error && <ProblemNote error={error} />}
      {mayEdit && (
        <Group justify="flex-end" mb="sm">
          <Button onClick={() => setActive({ step: 'create' })}>{words.add}</Button>
        </Group>
      )}
      <DataTable
        label={words.title}
        columns={columns}
        rows={data?.data}
        error={error}
        rowKey={(row) => row.id}
        onOpen={(row) => setActive({ step: 'log', row })}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <WebhookDialogs active={active} list={list} onDone={() => setActive(undefined)} onAsk={setActive} />
    </>
  )
}

function useColumns(list: string, setActive: (step: WebhookStep) => void): Column<Webhook>[] {
  const words = useWords(webhookWords)
  const shared = useWords(common)
  return [
    { key: 'url', title: words.url, fill: true, cell: (row) => <Address row={row} /> },
    {
      key: 'state',
      title: words.state,
      keep: true,
      cell: (row) => <StateBadge mood={moods[row.state]}>{words.states[row.state]}</StateBadge>,
    },
    actionsColumn(shared.actions, (row) => <Actions row={row} list={list} setActive={setActive} />),
  ]
}

/** Shows why no events arrive, and the subscribed ones. */
function Address({ row }: { row: Webhook }) {
  const words = useWords(webhookWords)
  return (
    <>
      <code title={row.url}>{row.url.replace(/^https:\/\//, '')}</code>
      <Text size="xs" c="var(--warn)">
        <Trouble row={row} />
      </Text>
      <Text size="xs" c="dimmed">
        {row.types === '*' ? words.all : row.types.join(', ')}
      </Text>
    </>
  )
}

function Trouble({ row }: { row: Webhook }) {
  const words = useWords(webhookWords)
  const { language } = useLanguage()
  if (row.disabled_reason) return words.reasons[row.disabled_reason]
  if (row.state !== 'failing') return null
  const { last_attempt: last } = row
  return (
    <>
      {last?.error && <>{faultIn(language, last.error)} · </>}
      {words.next} <Ago at={row.next_attempt_at} />
    </>
  )
}

interface Pinged {
  delivered: boolean
  error: string | null
}

function Actions({ row, list, setActive }: { row: Webhook; list: string; setActive(step: WebhookStep): void }) {
  const words = useWords(webhookWords)
  const { language } = useLanguage()
  const mayEdit = useMay('admin')
  const path = `${list}/${row.id}`
  const ping = useChange<Pinged>([], ({ data }) =>
    notify(data.delivered ? words.sendPing : words.notPinged(faultIn(language, data.error ?? ''))),
  )
  const change = useChange<Webhook>([list])
  const send = (request: Change) => change.mutate(request, { onError: notifyProblem })
  const retry = useChange<Webhook>([list], () => notify(words.retried))
  const isOff = row.state === 'disabled'
  const action = (label: string, run: () => void) => ({ label, name: `${label} ${row.url}`, run })
  const toTry = () => ping.mutate({ method: 'POST', path: `${path}/ping` }, { onError: notifyProblem })
  const toSwitch = () => send({ method: 'PATCH', path, body: { active: isOff } })
  const toRetry = () => retry.mutate({ method: 'POST', path: `${path}/retry` }, { onError: notifyProblem })
  const toChange = [
    ...(row.state === 'failing' ? [action(words.retry, toRetry)] : []),
    action(words.ping, toTry),
    action(isOff ? words.on : words.off, toSwitch),
    action(words.rotate, () => setActive({ step: 'rotate', row })),
    { ...action(words.remove, () => setActive({ step: 'remove', row })), isLoss: true },
  ]
  const actions = [action(words.log, () => setActive({ step: 'log', row })), ...(mayEdit ? toChange : [])]
  return <RowActions row={row.url} actions={actions} />
}
