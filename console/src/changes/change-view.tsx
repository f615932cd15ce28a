import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Language, useLanguage, useWords } from '../app/language.tsx'
import { AccessLine, SignedLine } from './access-line.tsx'
import { accessChanges, fieldsText, lineText, valueText } from './change-texts.ts'
import { changeWords } from './change-words.ts'
import { linesOf, type PropertyChange } from './difference.ts'
import { labelOf } from './property-words.ts'

const maxLines = 100

interface Props {
  change: PropertyChange
  /** Default: that of the property. */
  label?: string | undefined
}

/** Shows one change as removed and added lines; facilities that lose or gain the same permissions share a line. */
export function ChangeView({ change, label }: Props) {
  const { language } = useLanguage()
  return (
    <div>
      <Text fw={600} size="sm" title={change.key}>
        {[label ?? labelOf(change.key, language), change.about].filter(Boolean).join(' ')}
      </Text>
      <ChangeLines change={change} />
    </div>
  )
}

export function ChangeLines({ change }: { change: PropertyChange }) {
  const words = useWords(changeWords)
  const { language } = useLanguage()
  if (change.fields) return <Remark>{fieldsText(change.fields, language)}</Remark>
  if (change.before === undefined && change.after === undefined) return <Remark>{words.unknown}</Remark>
  const isAccess = change.key === 'grants'
  const lines = isAccess ? accessLines(change) : valueLines(change, language)
  const isOther = JSON.stringify(change.before ?? []) !== JSON.stringify(change.after ?? [])
  return (
    <>
      {lines.length > 0 && (
        <List listStyleType="none" size="sm" spacing={2}>
          {lines.slice(0, maxLines)}
          {lines.length > maxLines && <List.Item>{words.more(lines.length - maxLines)}</List.Item>}
        </List>
      )}
      {lines.length === 0 && isOther && <Remark>{isAccess ? words.sameAccess : words.reordered}</Remark>}
      {change.isPartial && <Remark>{words.partial}</Remark>}
      {change.listBefore && <ListBefore items={change.listBefore} language={language} />}
    </>
  )
}

function accessLines(change: PropertyChange): ReactNode[] {
  const { lost, gained } = accessChanges(change)
  return [
    ...lost.map((group) => <AccessLine key={`− ${group.facilities?.[0]}`} sign="−" group={group} />),
    ...gained.map((group) => <AccessLine key={`+ ${group.facilities?.[0]}`} sign="+" group={group} />),
  ]
}

function valueLines(change: PropertyChange, language: Language): ReactNode[] {
  return linesOf(change).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two lines can be equal
    <SignedLine key={at} sign={line.sign}>
      {lineText(line, change.key, language)}
    </SignedLine>
  ))
}

function ListBefore({ items, language }: { items: unknown[]; language: Language }) {
  const words = useWords(changeWords)
  return (
    <details>
      <summary>{words.listBefore(items.length)}</summary>
      {items.map((item) => valueText('', item, language)).join(', ')}
    </details>
  )
}

function Remark({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
