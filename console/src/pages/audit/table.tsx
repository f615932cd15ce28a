import { useState } from 'react'
import { useList } from '../../api/hooks.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { type AuditEntry, changesOf, factsOf, undoneBy } from '../../changes/audit-entry.ts'
import { shortId, summaryOf } from '../../changes/change-texts.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty, NoMatch } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { ShortDateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { actionWords } from './action-words.ts'
import { AuditEntryDrawer } from './entry.tsx'
import { auditWords } from './words.ts'

interface Props {
  path: string
  /** Clears the filters, if there are any. */
  onClear?: () => void
}

/** Table of audit entries, of the installation or of one object. */
export function AuditTable({ path, onClear }: Props) {
  const words = useWords(auditWords)
  const actions = useWords(actionWords)
  const { language } = useLanguage()
  const { noMatch } = useWords(common)
  const list = useList<AuditEntry>(path)
  const [shown, setShown] = useState<number>()
  const columns: Column<AuditEntry>[] = [
    { key: 'at', title: words.when, plain: true, cell: (row) => <ShortDateTime at={row.at} /> },
    {
      key: 'who',
      title: words.who,
      plain: true,
      cell: (row) => words.kinds[row.actor.name ?? row.actor.kind] ?? row.actor.name,
    },
    {
      key: 'action',
      title: words.what,
      main: true,
      cell: (row) => {
        const undone = undoneBy(row)
        return undone === undefined ? (
          actions[row.action]
        ) : (
          <span title={actions[row.action]}>{words.undid(undone)}</span>
        )
      },
    },
    {
      key: 'subject',
      title: words.subject,
      plain: true,
      cell: (row) => <Subject entry={row} />,
    },
    {
      key: 'change',
      title: words.change,
      plain: true,
      fill: true,
      cell: (row) => summaryOf(changesOf(row), factsOf(row), language),
    },
  ]
  return (
    <>
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={columns}
        {...list}
        rowKey={(row) => String(row.seq)}
        onOpen={(row) => setShown(row.seq)}
        empty={
          onClear ? (
            <NoMatch title={noMatch} onClear={onClear} />
          ) : (
            <Empty title={words.emptyTitle}>{words.empty}</Empty>
          )
        }
      />
      <AuditEntryDrawer seq={shown} onShow={setShown} onClose={() => setShown(undefined)} />
    </>
  )
}

/** Shows the name of the subject if it has one. */
function Subject({ entry: { subject, subject_name: name, facility, partner } }: { entry: AuditEntry }) {
  const text = subject ?? facility ?? partner ?? ''
  if (name !== null) return <span title={text}>{name.replace(/^https:\/\//, '')}</span>
  const short = shortId(text)
  return short === text ? text : <code title={text}>{short}</code>
}
