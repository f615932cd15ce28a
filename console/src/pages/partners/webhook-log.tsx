import { Button, Code, Drawer, Group, Text } from '@mantine/core'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Note } from '../../parts/note.tsx'
import { notify, notifyProblem } from '../../parts/problem.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { Deliveries } from './webhook-deliveries.tsx'
import { webhookWords } from './webhook-words.ts'

interface Props {
  row: Webhook | undefined
  path: string
  /** Opens the dialog to replay a range, from an event on if one is chosen. */
  onRange(row: Webhook, event?: string): void
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
      size={960}
      styles={{ title: { overflowWrap: 'anywhere' } }}
      title={words.logTitle(row?.url ?? '')}
      closeButtonProps={{ 'aria-label': close }}
    >
      {row && <LastAttempt row={row} path={path} />}
      {row && <Deliveries path={path} refetchMs={refetchMs} onRange={(event) => onRange(row, event)} />}
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
            flex="none"
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
