import { Button, Code, Drawer, Stack, Table, Text } from '@mantine/core'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import { useWords } from '../../app/language.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ProblemNote, tell } from '../../parts/problem.tsx'
import { Moment } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { type AuditEntry, changesOf } from './audit-entry.ts'
import { auditWords } from './words.ts'

/** One entry, whole, with the way back where there is one. */
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

function Entry({ entry, onClose }: { entry: AuditEntry; onClose(): void }) {
  const words = useWords(auditWords)
  const mayEdit = useMay('editor')
  const undo = useChange(['/audit', '/facilities'], () => {
    tell(words.undone)
    onClose()
  })
  const changes = changesOf(entry)
  const rows: [string, string | null][] = [
    [words.actor, entry.actor.name ?? entry.actor.kind],
    [words.from, entry.actor.address],
    [words.action, entry.action],
    [words.facility, entry.facility],
    [words.partner, entry.partner],
    [words.subject, entry.subject],
    [words.request, entry.request_id],
  ]
  return (
    <Stack gap="md">
      <Moment at={entry.at} />
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
      {changes.map(({ key, before, after }) => (
        <div key={key}>
          <Text fw={600}>{key}</Text>
          <Text size="xs" c="dimmed">
            {words.before}
          </Text>
          <Code block>{JSON.stringify(before, null, 2)}</Code>
          <Text size="xs" c="dimmed" mt={4}>
            {words.after}
          </Text>
          <Code block>{JSON.stringify(after, null, 2)}</Code>
        </div>
      ))}
      {changes.length === 0 && entry.detail !== null && <Code block>{JSON.stringify(entry.detail, null, 2)}</Code>}
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
