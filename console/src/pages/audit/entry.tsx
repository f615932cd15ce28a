import { Button, Code, Drawer, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Icon } from '../../parts/icons.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { DateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { actionWords } from './action-words.ts'
import { type AuditEntry, changesOf, remarksOf } from './audit-entry.ts'
import { ChangeView } from './change-view.tsx'
import { auditWords } from './words.ts'

/** One complete entry, with an undo button if it can be undone. */
export function AuditEntryDrawer({ entry, onClose }: { entry: AuditEntry | undefined; onClose(): void }) {
  const words = useWords(auditWords)
  const shared = useWords(common)
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={words.details}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      {entry && <Entry entry={entry} onClose={onClose} />}
    </Drawer>
  )
}

function Entry({ entry: listed, onClose }: { entry: AuditEntry; onClose(): void }) {
  // Lists leave out long values and do not always know whether an entry can be undone.
  const { data } = useRead<AuditEntry>(`/audit/${listed.seq}`)
  const entry = data?.data ?? listed
  const words = useWords(auditWords)
  const { language } = useLanguage()
  const actions = useWords(actionWords)
  const mayEdit = useMay('editor')
  const undo = useChange(['/audit', '/facilities', '/areas', '/partners', '/operators', '/settings'], () => {
    notify(words.undone)
    onClose()
  })
  const changes = changesOf(entry)
  const remarks = remarksOf(entry)
  const rows: [string, ReactNode][] = [
    [words.actor, words.kinds[entry.actor.name ?? entry.actor.kind] ?? entry.actor.name],
    [words.from, entry.actor.address],
    [
      words.action,
      <span key="action" title={entry.action}>
        {actions[entry.action]}
      </span>,
    ],
    [words.facility, entry.facility],
    [words.partner, entry.partner],
    [words.subject, entry.subject],
    [words.request, entry.request_id],
  ]
  return (
    <Stack gap="md">
      <DateTime at={entry.at} />
      <Table layout="fixed" variant="vertical">
        <Table.Tbody>
          {rows
            .filter(([, value]) => value !== null && value !== undefined)
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={140}>{name}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {changes.map((change) => (
        <ChangeView key={change.key} change={change} />
      ))}
      {remarks && <Code block>{JSON.stringify(remarks, null, 2)}</Code>}
      {entry.undo_refused && (
        <Text size="sm" c="dimmed">
          {faultIn(language, entry.undo_refused)}
        </Text>
      )}
      {undo.error && <ProblemNote error={undo.error} />}
      {entry.can_undo && mayEdit && (
        <>
          <Text size="sm" c="dimmed">
            {words.undoHelp}
          </Text>
          <Button
            variant="default"
            leftSection={<Icon name="undo" size={16} />}
            loading={undo.isPending}
            onClick={() => undo.mutate({ method: 'POST', path: `/audit/${entry.seq}/undo` })}
          >
            {words.undo}
          </Button>
        </>
      )}
    </Stack>
  )
}
