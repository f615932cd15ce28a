import { Code, List, Text } from '@mantine/core'
import { useWords } from '../../app/language.tsx'
import { rightWords } from '../partners/right-words.ts'
import type { PropertyChange } from './audit-entry.ts'
import { useChangeLabels } from './change-labels.ts'
import { differenceOf } from './difference.ts'
import { auditWords } from './words.ts'

const maxLines = 100

/** Shows one change: removed and added lines for lists and grants, both values otherwise. */
export function ChangeView({ change }: { change: PropertyChange }) {
  const words = useWords(auditWords)
  const names = { ...useWords(rightWords), everywhere: words.everywhere }
  const keys = useChangeLabels()
  const difference = differenceOf(change, names)
  return (
    <div>
      <Text fw={600} title={change.key}>
        {keys[change.key] ?? change.key}
      </Text>
      {difference ? (
        <>
          <Lines label={words.removed} sign="−" color="red" lines={difference.removed} />
          <Lines label={words.added} sign="+" color="green" lines={difference.added} />
        </>
      ) : (
        <>
          <Value label={words.before} value={change.before} />
          <Value label={words.after} value={change.after} />
        </>
      )}
    </div>
  )
}

function Lines({ label, sign, color, lines }: { label: string; sign: string; color: string; lines: string[] }) {
  const words = useWords(auditWords)
  if (lines.length === 0) return null
  return (
    <List listStyleType="none" size="sm" spacing={2} mt={4} aria-label={label}>
      {lines.slice(0, maxLines).map((line) => (
        <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
          <Text span c={`var(--mantine-color-${color}-text)`} size="sm">
            {`${sign} ${line}`}
          </Text>
        </List.Item>
      ))}
      {lines.length > maxLines && <List.Item>{words.more(lines.length - maxLines)}</List.Item>}
    </List>
  )
}

function Value({ label, value }: { label: string; value: unknown }) {
  return (
    <>
      <Text size="xs" c="dimmed" mt={4}>
        {label}
      </Text>
      <Code block>{JSON.stringify(value ?? null, null, 2)}</Code>
    </>
  )
}
