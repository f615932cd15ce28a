import { Anchor, Button, Drawer, Loader, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useChange, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { type AuditEntry, changesOf, factsOf, undoneBy } from '../../changes/audit-entry.ts'
import { valueText } from '../../changes/change-texts.ts'
import { ChangeView } from '../../changes/change-view.tsx'
import type { PropertyChange } from '../../changes/difference.ts'
import { labelOf } from '../../changes/property-words.ts'
import { faultIn } from '../../parts/fault-words.ts'
import { Icon } from '../../parts/icons.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { DateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { type RightsChange, useLossQuestion } from '../partners/confirm-loss.tsx'
import { actionWords } from './action-words.ts'
import classes from './entry.module.css'
import { auditWords } from './words.ts'

interface Props {
  seq: number | undefined
  /** Shows another entry instead. */
  onShow(seq: number): void
  onClose(): void
}

/** One complete entry, with an undo button if it can be undone. */
export function AuditEntryDrawer({ seq, onShow, onClose }: Props) {
  const words = useWords(auditWords)
  const shared = useWords(common)
  return (
    <Drawer
      opened={seq !== undefined}
      onClose={onClose}
      position="right"
      size={520}
      title={words.details(seq ?? 0)}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      {seq !== undefined && <LoadedEntry key={seq} seq={seq} onShow={onShow} onClose={onClose} />}
    </Drawer>
  )
}

/** Loads the entry: lists leave out long values and do not always know whether an entry can be undone. */
function LoadedEntry({ seq, ...handlers }: Props & { seq: number }) {
  const { data, error } = useRead<AuditEntry>(`/audit/${seq}`)
  if (error) return <ProblemNote error={error} />
  return data ? <Entry entry={data.data} {...handlers} /> : <Loader size="sm" />
}

function Entry({ entry, onShow, onClose }: { entry: AuditEntry } & Pick<Props, 'onShow' | 'onClose'>) {
  const changes = changesOf(entry)
  return (
    <Stack gap="md">
      <DateTime at={entry.at} />
      <Facts entry={entry} onShow={onShow} />
      {changes.map((change) => (
        <ChangeView key={`${change.key} ${change.about}`} change={change} />
      ))}
      <Undo entry={entry} changes={changes} onClose={onClose} />
    </Stack>
  )
}

/** What an entry says besides its changes. */
function Facts({ entry, onShow }: { entry: AuditEntry; onShow(seq: number): void }) {
  const words = useWords(auditWords)
  const actions = useWords(actionWords)
  const { language } = useLanguage()
  const undone = undoneBy(entry)
  const subject = entry.subject_name === null ? entry.subject : `${entry.subject_name} · ${entry.subject}`
  const rows: [string, ReactNode][] = [
    [words.actor, words.kinds[entry.actor.name ?? entry.actor.kind] ?? entry.actor.name],
    [words.from, entry.actor.address],
    [
      words.action,
      <span key="action" title={entry.action}>
        {actions[entry.action]}
      </span>,
    ],
    [
      words.reverts,
      undone && (
        <Anchor key="reverts" component="button" size="sm" onClick={() => onShow(undone)}>
          {words.details(undone)}
        </Anchor>
      ),
    ],
    [words.facility, entry.facility],
    [words.partner, entry.partner],
    [words.subject, subject],
    ...factsOf(entry).map(({ key, value }): [string, ReactNode] => [
      labelOf(key, language),
      typeof value === 'string' && key === 'cycle' ? value : valueText(key, value, language),
    ]),
    [words.request, entry.request_id],
  ]
  return (
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
  )
}

interface UndoProps {
  entry: AuditEntry
  changes: PropertyChange[]
  onClose(): void
}

/** The undo button, in view however long the entry is; asks first if a partner would lose permissions. */
function Undo({ entry, changes, onClose }: UndoProps) {
  const words = useWords(auditWords)
  const { language } = useLanguage()
  const mayEdit = useMay('editor')
  const undo = useChange(['/audit', '/facilities', '/areas', '/partners', '/operators', '/settings'], () => {
    notify(words.undone)
    onClose()
  })
  const { ask, question } = useLossQuestion('undo')
  const run = () => undo.mutate({ method: 'POST', path: `/audit/${entry.seq}/undo` })
  const canUndo = entry.can_undo && mayEdit
  if (!canUndo && !entry.undo_refused && !undo.error) return null
  return (
    <div className={classes.foot}>
      {entry.undo_refused && (
        <Text size="sm" c="dimmed">
          {faultIn(language, entry.undo_refused)}
        </Text>
      )}
      {undo.error && <ProblemNote error={undo.error} />}
      {canUndo && (
        <>
          <Text size="sm" c="dimmed">
            {words.undoHelp}
          </Text>
          <Button
            variant="default"
            leftSection={<Icon name="undo" size={16} />}
            loading={undo.isPending}
            onClick={() => ask(entry.partner === null ? [] : [rightsUndone(entry.partner, changes)], run)}
          >
            {words.undo}
          </Button>
        </>
      )}
      {question}
    </div>
  )
}

/** Returns the change of permissions that an undo makes: from the values that the entry set to those before. */
function rightsUndone(partner: string, changes: PropertyChange[]): RightsChange {
  const rights = changes.filter(({ key }) => key === 'grants' || key === 'webhooks')
  const valuesOn = (side: 'before' | 'after') =>
    Object.fromEntries(rights.map(({ key, [side]: value }) => [key, value ?? undefined]))
  return { partner, before: valuesOn('after'), after: valuesOn('before') }
}
