import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { segment } from '../../api/client.ts'
import { type Change, useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import classes from '../../parts/data-table.module.css'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote, tell, tellProblem } from '../../parts/problem.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { WebhookDialogs, type WebhookStep } from './webhook-dialogs.tsx'
import { webhookWords } from './webhook-words.ts'

const refetchMs = 5000

const moods = { active: 'good', failing: 'warn', disabled: 'bad' } as const

/** Where the partner's events are sent, and how that goes. */
export function Webhooks({ partner }: { partner: string }) {
  const words = useWords(webhookWords)
  const mayEdit = useMay('admin')
  const list = `/partners/${segment(partner)}/webhooks`
  const { data, error } = useRead<Webhook[]>(list, { refetchMs })
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
        label={words.title}
        columns={columns}
        rows={data?.data}
        error={error}
        rowKey={(row) => row.id}
        height="calc(100dvh - 300px)"
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <WebhookDialogs asked={asked} list={list} onDone={() => ask(undefined)} onAsk={ask} />
    </>
  )
}

function useColumns(list: string, ask: (step: WebhookStep) => void): Column<Webhook>[] {
  const words = useWords(webhookWords)
  const shared = useWords(common)
  return [
    { key: 'url', title: words.url, fill: true, cell: (row) => <Address row={row} /> },
    { key: 'state', title: words.state, cell: (row) => <State row={row} /> },
    { key: 'actions', title: shared.actions, cell: (row) => <Actions row={row} list={list} ask={ask} /> },
  ]
}

/** With what is sent there; on a telephone with how it goes where it does not go well. */
function Address({ row }: { row: Webhook }) {
  const words = useWords(webhookWords)
  const isWell = row.state === 'active'
  return (
    <>
      <code className={classes.whole} title={row.url}>
        {row.url.replace(/^https:\/\//, '')}
      </code>
      <small className={`${classes.below} ${isWell ? '' : 'wide-only'}`}>
        {row.types === '*' ? words.all : row.types.join(', ')}
      </small>
      {!isWell && (
        <small className={`${classes.below} narrow-only`}>
          <Trouble row={row} />
        </small>
      )}
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

function State({ row }: { row: Webhook }) {
  const words = useWords(webhookWords)
  return (
    <>
      <StateBadge mood={moods[row.state]}>{words.states[row.state]}</StateBadge>
      <Text size="xs" c="dimmed" className="wide-only">
        <Trouble row={row} />
      </Text>
    </>
  )
}

interface Pinged {
  delivered: boolean
  error: string | null
}

function Actions({ row, list, ask }: { row: Webhook; list: string; ask(step: WebhookStep): void }) {
  const words = useWords(webhookWords)
  const { language } = useLanguage()
  const mayEdit = useMay('admin')
  const path = `${list}/${row.id}`
  const ping = useChange<Pinged>([], ({ data }) =>
    tell(data.delivered ? words.sendPing : words.notPinged(faultIn(language, data.error ?? ''))),
  )
  const change = useChange<Webhook>([list])
  const send = (request: Change) => change.mutate(request, { onError: tellProblem })
  const retry = useChange<Webhook>([list], () => tell(words.retried))
  const isOff = row.state === 'disabled'
  const action = (label: string, run: () => void) => ({ label, name: `${label} ${row.url}`, run })
  const toTry = () => ping.mutate({ method: 'POST', path: `${path}/ping` }, { onError: tellProblem })
  const toSwitch = () => send({ method: 'PATCH', path, body: { active: isOff } })
  const toRetry = () => retry.mutate({ method: 'POST', path: `${path}/retry` }, { onError: tellProblem })
  const toChange = [
    ...(row.state === 'failing' ? [action(words.retry, toRetry)] : []),
    action(words.ping, toTry),
    action(isOff ? words.on : words.off, toSwitch),
    action(words.rotate, () => ask({ step: 'rotate', row })),
    { ...action(words.remove, () => ask({ step: 'remove', row })), isLoss: true },
  ]
  const actions = [action(words.log, () => ask({ step: 'log', row })), ...(mayEdit ? toChange : [])]
  return <RowActions row={row.url} actions={actions} />
}
