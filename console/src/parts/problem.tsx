import { Button, Code, Group, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { Problem } from '../api/client.ts'
import { useLanguage, useWords } from '../app/language.tsx'
import { faultIn, knownFault } from './fault-words.ts'
import { type FieldError, useFieldErrors } from './field-errors.ts'
import { Note } from './note.tsx'
import { problemWords } from './problem-words.ts'
import { common } from './words.ts'

/** Labels of fields by JSON pointer prefix. */
export type FieldLabels = Record<string, string>

interface Props {
  error: unknown
  labels?: FieldLabels | undefined
  onRetry?: () => void
  /** Reassurance, such as that nothing was changed. */
  children?: ReactNode
}

/** Shows a problem in plain words, with the request id for support. */
export function ProblemNote({ error, labels = {}, onRetry, children }: Props) {
  const words = useWords(common)
  const { title, text } = useProblemText(error)
  const { all } = useFieldErrors(error)
  const problem = error instanceof Problem ? error : undefined
  const placed = all.filter((one) => one.text !== title)
  return (
    <Note mood="bad" title={title}>
      {placed.length === 0 && text !== '' && <Text size="sm">{text}</Text>}
      {placed.length > 0 && (
        <List size="sm" mt={4}>
          {placed.slice(0, 12).map((one) => (
            <List.Item key={`${one.pointer} ${one.text}`}>
              <Named {...one} labels={labels} />
            </List.Item>
          ))}
        </List>
      )}
      {children && <Text size="sm">{children}</Text>}
      <Group gap="sm" mt={6}>
        {problem?.requestId && (
          <Text size="xs" c="dimmed">
            {words.labelled(words.requestId, '')}
            <Code>{problem.requestId}</Code>
          </Text>
        )}
        {onRetry && (
          <Button size="compact-xs" variant="default" onClick={onRetry}>
            {words.again}
          </Button>
        )}
      </Group>
    </Note>
  )
}

/** Returns title and detail of a problem in the language of the operator. */
export function useProblemText(error: unknown): { title: string; text: string } {
  const { language } = useLanguage()
  const words = useWords(common)
  const titles = useWords(problemWords)
  const problem = error instanceof Problem ? error : undefined
  if (problem?.status === 0) return { title: words.unreachableTitle, text: words.unreachable }
  const title = titles[problem?.code ?? '']
  const detail = error instanceof Error ? error.message : ''
  // A French title makes an untranslated English detail redundant.
  const text = title === undefined || language === 'en' ? faultIn(language, detail) : (knownFault('fr', detail) ?? '')
  return { title: title || problem?.title || words.failed, text }
}

/** Returns the label of a field, or the API's name of it. */
function Named({ pointer, text, labels }: FieldError & { labels: FieldLabels }) {
  const { labelled } = useWords(common)
  const known = Object.keys(labels).filter((name) => pointer === name || pointer.startsWith(`${name}/`))
  const longest = known.sort((a, b) => b.length - a.length)[0]
  if (longest !== undefined) return labelled(labels[longest] ?? '', text)
  return (
    <>
      {pointer && <Code>{pointer.slice(1).replaceAll('/', ' › ')}</Code>} {text}
    </>
  )
}

/** Shows a problem as a notification, for changes without a place on the page. */
export function notifyProblem(error: unknown): void {
  notifications.show({ color: 'red', message: <ProblemMessage error={error} />, autoClose: 10_000, withBorder: true })
}

function ProblemMessage({ error }: { error: unknown }) {
  const { title, text } = useProblemText(error)
  const { all } = useFieldErrors(error)
  const requestId = error instanceof Problem ? error.requestId : undefined
  const said = [all.map((one) => one.text).join(' ') || text, requestId && `(${requestId})`].filter(Boolean).join(' ')
  return (
    <>
      <strong>{title}</strong> {said}
    </>
  )
}

export function notify(message: string): void {
  notifications.show({ message, color: 'atrium', withBorder: true, autoClose: 3000 })
}
