import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Delivery, Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Empty } from '../../parts/page.tsx'
import { notify, notifyProblem, ProblemNote } from '../../parts/problem.tsx'
import { actionsColumn, RowActions } from '../../parts/row-actions.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { duration, ShortDateTime } from '../../parts/time.tsx'
import { useFacilityNames } from '../../parts/use-facility-names.ts'
import { common } from '../../parts/words.ts'
import { type DeliveredEvent, deliveredEvents } from './delivered-events.ts'
import { webhookWords } from './webhook-words.ts'

/** An event, or an attempt below its event. */
type Row = { delivery: Delivery; event: DeliveredEvent; isEvent: boolean }

interface Props {
  path: string
  refetchMs: number
  /** Opens the dialog to send a range again, from this event on. */
  onRange(event: string): void
}

/** The events that were sent to a webhook, each with its attempts on demand. */
export function Deliveries({ path, refetchMs, onRange }: Props) {
  const words = useWords(webhookWords)
  const { rows = [], error, hasMore, loadMore } = useList<Delivery>(`${path}/deliveries`, { refetchMs })
  const [opened, setOpened] = useState<readonly string[]>([])
  const events = deliveredEvents(rows)
  const toggle = (event: string) =>
    setOpened((all) => (all.includes(event) ? all.filter((one) => one !== event) : [...all, event]))
  const shown = events.flatMap((event): Row[] => {
    const { last, attempts } = event
    const below = opened.includes(last.event) && attempts.length > 1 ? attempts : []
    return [{ delivery: last, event, isEvent: true }, ...below.map((delivery) => ({ delivery, event, isEvent: false }))]
  })
  return (
    <>
      {error && <ProblemNote error={error} />}
      <DataTable
        label={words.log}
        columns={useColumns(path, opened, toggle, onRange)}
        rows={shown}
        error={error}
        rowKey={({ delivery: { event, at }, isEvent }) => `${event} ${isEvent ? '' : at}`}
        onOpen={({ delivery }) => toggle(delivery.event)}
        hasMore={hasMore}
        loadMore={loadMore}
        height="calc(100dvh - 320px)"
        empty={<Empty title={words.noLog}>{words.noLogHelp}</Empty>}
      />
    </>
  )
}

function useColumns(
  path: string,
  opened: readonly string[],
  toggle: (event: string) => void,
  onRange: Props['onRange'],
): Column<Row>[] {
  const words = useWords(webhookWords)
  const shared = useWords(common)
  const mayEdit = useMay('admin')
  const replay = useChange<Webhook>([path], () => notify(words.replayed))
  const again = (event: string) =>
    replay.mutate({ method: 'POST', path: `${path}/replay`, body: { event } }, { onError: notifyProblem })
  const actions = actionsColumn<Row>(
    shared.actions,
    ({ delivery: { event, type }, isEvent }) =>
      isEvent && (
        <RowActions
          row={type}
          actions={[
            { label: words.replay, name: `${words.replay} ${type}`, run: () => again(event) },
            { label: words.fromHere, name: `${words.fromHere} ${type}`, run: () => onRange(event) },
          ]}
        />
      ),
  )
  return [
    { key: 'at', title: words.at, plain: true, cell: ({ delivery }) => <ShortDateTime at={delivery.at} /> },
    { key: 'event', title: words.event, fill: true, cell: (row) => <Event {...row} /> },
    {
      key: 'attempts',
      title: words.attemptsTitle,
      number: true,
      cell: ({ event: { last, attempts }, isEvent }) =>
        isEvent &&
        (attempts.length === 1 ? (
          1
        ) : (
          <Anchor
            component="button"
            size="sm"
            aria-label={`${words.attempts(attempts.length)} ${last.type}`}
            aria-expanded={opened.includes(last.event)}
            onClick={() => toggle(last.event)}
          >
            {attempts.length}
          </Anchor>
        )),
    },
    { key: 'status', title: words.status, plain: true, cell: ({ delivery }) => <ResponseCell {...delivery} /> },
    ...(mayEdit ? [actions] : []),
  ]
}

function Event({ delivery, isEvent }: Row) {
  const { language } = useLanguage()
  const { type, event } = delivery
  if (!isEvent) return duration(delivery.duration_ms, language)
  return (
    <>
      <code>{type}</code> <Place {...delivery} />
      <Text size="xs" c="dimmed">
        <code>{event}</code>
      </Text>
    </>
  )
}

/** The room or the facility that the event is about. */
function Place({ facility, area }: Delivery) {
  const nameOf = useFacilityNames(facility === null ? [] : [facility])
  if (facility === null) return null
  const name = nameOf(facility)
  return <span>{`${name ? `${name} · ` : ''}${area ?? facility}`}</span>
}

function ResponseCell({ status, error }: Delivery) {
  const { language } = useLanguage()
  return (
    <StateBadge mood={error === null ? 'good' : 'bad'}>{error === null ? status : faultIn(language, error)}</StateBadge>
  )
}
