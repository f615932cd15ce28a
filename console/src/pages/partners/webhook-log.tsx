import { Button, Drawer } from '@mantine/core'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Delivery, Webhook } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote, tell, tellProblem } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Moment } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { webhookWords } from './webhook-words.ts'

interface Props {
  row: Webhook | undefined
  path: string
  onClose(): void
}

/** What was sent to one webhook, and what came of it. */
export function WebhookLog({ row, path, onClose }: Props) {
  const words = useWords(webhookWords)
  const { close } = useWords(common)
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      position="right"
      size={760}
      title={words.logTitle(row?.url ?? '')}
      closeButtonProps={{ 'aria-label': close }}
    >
      {row && <Deliveries path={path} />}
    </Drawer>
  )
}

const refetchMs = 3000

function Deliveries({ path }: { path: string }) {
  const words = useWords(webhookWords)
  const mayEdit = useMay('admin')
  const { rows, error, hasMore, loadMore } = useList<Delivery>(`${path}/deliveries`, { refetchMs })
  const replay = useChange<Webhook>([path], () => tell(words.replayed))
  const again = (event: string) =>
    replay.mutate({ method: 'POST', path: `${path}/replay`, body: { event } }, { onError: tellProblem })
  const columns: Column<Delivery>[] = [
    { key: 'at', title: words.at, cell: ({ at }) => <Moment at={at} /> },
    { key: 'type', title: words.event, cell: ({ type }) => <code>{type}</code> },
    { key: 'attempt', title: words.attempt, number: true, wide: true, cell: ({ attempt }) => attempt },
    {
      key: 'answer',
      title: words.answer,
      cell: ({ status, error: failure }) => (
        <StateBadge mood={failure === null ? 'good' : 'bad'}>{failure ?? status}</StateBadge>
      ),
    },
    { key: 'took', title: words.duration, number: true, wide: true, cell: (one) => `${one.duration_ms} ms` },
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
        height="calc(100dvh - 160px)"
        empty={<Empty title={words.noLog}>{words.noLogHelp}</Empty>}
      />
    </>
  )

  function actions(): Column<Delivery> {
    return {
      key: 'again',
      title: words.replay,
      cell: ({ event, type }) => (
        <Button size="compact-xs" variant="default" aria-label={`${words.replay} ${type}`} onClick={() => again(event)}>
          {words.replay}
        </Button>
      ),
    }
  }
}
