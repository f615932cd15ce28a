import { useState } from 'react'
import { useList } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShortDateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { rightWords } from '../partners/right-words.ts'
import { actionWords } from './action-words.ts'
import { type AuditEntry, changesOf } from './audit-entry.ts'
import { useChangeLabels } from './change-labels.ts'
import { summaryOf } from './difference.ts'
import { AuditEntryDrawer } from './entry.tsx'
import { auditWords } from './words.ts'

/** Table of audit entries, of the installation or of one object. */
export function AuditTable({ path }: { path: string }) {
  const words = useWords(auditWords)
  const actions = useWords(actionWords)
  const { labelled } = useWords(common)
  const names = { ...useWords(rightWords), everywhere: words.everywhere, keys: useChangeLabels() }
  const list = useList<AuditEntry>(path)
  const [shown, setShown] = useState<AuditEntry>()
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: words.when, cell: (row) => <ShortDateTime at={row.at} /> },
    { key: 'who', title: words.who, cell: (row) => words.kinds[row.actor.name ?? row.actor.kind] ?? row.actor.name },
    { key: 'action', title: words.what, cell: (row) => actions[row.action] },
    {
      key: 'subject',
      title: words.subject,
      wide: true,
      cell: (row) => <Subject entry={row} />,
    },
    {
      key: 'change',
      title: words.change,
      wide: true,
      fill: true,
      cell: (row) => summaryOf(changesOf(row), names, labelled),
    },
    { key: 'from', title: words.from, roomy: true, cell: (row) => row.actor.address ?? '' },
  ]
  return (
    <>
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={columns}
        {...list}
        rowKey={(row) => String(row.seq)}
        onOpen={setShown}
        empty={<Empty title={words.emptyTitle}>{words.empty}</Empty>}
      />
      <AuditEntryDrawer entry={shown} onClose={() => setShown(undefined)} />
    </>
  )
}

/** Shortens long ids: their beginning is distinctive. */
function Subject({ entry: { subject, facility, partner } }: { entry: AuditEntry }) {
  const text = subject ?? facility ?? partner ?? ''
  const isLong = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)
  return isLong ? <code title={text}>{`${text.slice(-12)}`}</code> : text
}
