import { Button, Code, Drawer, Group, Text } from '@mantine/core'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Delivery, Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import classes from '../../parts/data-table.module.css'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Note } from '../../parts/note.tsx'
import { Empty } from '../../parts/page.tsx'
import { notify, notifyProblem, ProblemNote } from '../../parts/problem.tsx'
import { RowActions } from '../../parts/row-actions.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago, ShortDateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { webhookWords } from './webhook-words.ts'

interface Props {
  row: Webhook | undefined
  path: string
  /** Opens the dialog to replay a range. */
  onRange(row: Webhook): void
  onClose(): void
}

/** Deliveries of one webhook with their results. */
export function WebhookLog({ row, path, onRange, onClose }: Props) {
  const words = useWords(webhookWords)
  const { close } = useWords(common)
  const mayEdit = useMay('admin')
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      position="right"
      size={800}
      styles={{ title: { overflowWrap: 'anywhere' } }}
      title={words.logTitle(row?.url ?? '')}
      closeButtonProps={{ 'aria-label': close }}
    >
      {row && <LastAttempt row={row} path={path} />}
      {row && <Deliveries path={path} />}
      {row && mayEdit && (
        <Button variant="default" size="compact-sm" mt="sm" onClick={() => onRange(row)}>
          {words.range}
        </Button>
      )}
    </Drawer>
  )
}

const refetchMs = 3000

/** Result of the last attempt with the receiver's response, and the next attempt. */
function LastAttempt({ row: opened, path }: { row: Webhook; path: string }) {
  const words = useWords(webhookWords)
  const list = path.slice(0, path.lastIndexOf('/'))
  const { data } = useRead<Webhook[]>(list, { refetchMs })
  const mayEdit = useMay('admin')
  const shared = useWords(common)
  const { language } = useLanguage()
  const retry = useChange<Webhook>([list], () => notify(words.retried))
  const row = data?.data.find(({ id }) => id === opened.id) ?? opened
  const { last_attempt: last } = row
  if (last === null || last.error === null) return null
  return (
    <Note mood="warn">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <strong>{shared.labelled(words.last, '')}</strong>
          {faultIn(language, last.error)} · <Ago at={last.at} />
          {row.next_attempt_at && (
            <div>
              {words.next} <Ago at={row.next_attempt_at} />
            </div>
          )}
        </div>
        {mayEdit && row.state === 'failing' && (
          <Button
            variant="default"
            size="compact-sm"
            loading={retry.isPending}
            onClick={() => retry.mutate({ method: 'POST', path: `${path}/retry` }, { onError: notifyProblem })}
          >
            {words.retry}
          </Button>
        )}
      </Group>
      {last.response !== null && (
        <>
          <Text size="xs" c="dimmed" mt={6}>
            {words.response} {last.status}
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {last.response}
          </Code>
        </>
      )}
      {last.response === null && last.status !== null && (
        <Text size="xs" c="dimmed" mt={6}>
          {last.type.startsWith('service') ? words.notKept : words.noResponse}
        </Text>
      )}
    </Note>
  )
}

/** On phones, includes the event, which has no column there. */
function When({ at, type }: Delivery) {
  return (
    <>
      <ShortDateTime at={at} />
      <small className={`narrow-only ${classes.below}`}>{type}</small>
    </>
  )
}

function ResponseCell({ status, error }: Delivery) {
  const words = useWords(webhookWords)
  const { language } = useLanguage()
  return (
    <StateBadge mood={error === null ? 'good' : 'bad'}>
      <span className="wide-only">{error === null ? status : faultIn(language, error)}</span>
      <span className="narrow-only">{status ?? words.noStatus}</span>
    </StateBadge>
  )
}

const durationOf = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

function Deliveries({ path }: { path: string }) {
  const words = useWords(webhookWords)
  const shared = useWords(common)
  const mayEdit = useMay('admin')
  const { rows, error, hasMore, loadMore } = useList<Delivery>(`${path}/deliveries`, { refetchMs })
  const replay = useChange<Webhook>([path], () => notify(words.replayed))
  const again = (event: string) =>
    replay.mutate({ method: 'POST', path: `${path}/replay`, body: { event } }, { onError: notifyProblem })
  const columns: Column<Delivery>[] = [
    { key: 'at', title: words.at, cell: (one) => <When {...one} /> },
    { key: 'type', title: words.event, wide: true, cell: ({ type }) => <code>{type}</code> },
    { key: 'attempt', title: words.attempt, number: true, wide: true, cell: ({ attempt }) => attempt },
    {
      key: 'status',
      title: words.status,
      fill: true,
      cell: (one) => <ResponseCell {...one} />,
    },
    { key: 'took', title: words.duration, number: true, wide: true, cell: (one) => durationOf(one.duration_ms) },
    ...(mayEdit ? [actions()] : []),
  ]
  return (
    <>
      {error && <ProblemNote error={error} />}
      <DataTable
        label={words.log}
        columns={columns}
        rows={rows}
        error={error}
        rowKey={({ event, attempt, at }) => `${event} ${attempt} ${at}`}
        hasMore={hasMore}
        loadMore={loadMore}
        height="calc(100dvh - 320px)"
        empty={<Empty title={words.noLog}>{words.noLogHelp}</Empty>}
      />
    </>
  )

  function actions(): Column<Delivery> {
    return {
      key: 'again',
      title: shared.actions,
      cell: ({ event, type }) => (
        <RowActions
          row={type}
          actions={[{ label: words.replay, name: `${words.replay} ${type}`, run: () => again(event) }]}
        />
      ),
    }
  }
}
