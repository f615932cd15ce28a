import { Button, Code, Group, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { Problem } from '../api/client.ts'
import { useLanguage, useWords } from '../app/language.tsx'
import { faultIn } from './fault-words.ts'
import { type FieldError, useFieldErrors } from './field-errors.ts'
import { Note } from './note.tsx'
import { problemWords } from './problem-words.ts'
import { common } from './words.ts'

/** Names of fields, by the pointers at which they begin. */
export type FieldLabels = Record<string, string>

interface Props {
  error: unknown
  labels?: FieldLabels | undefined
  onRetry?: () => void
  /** What the operator can rely on meanwhile. */
  children?: ReactNode
}

/** What went wrong, in plain words, with what support needs to find it. */
export function ProblemNote({ error, labels = {}, onRetry, children }: Props) {
  const { language } = useLanguage()
  const words = useWords(common)
  const titles = useWords(problemWords)
  const { all } = useFieldErrors(error)
  const problem = error instanceof Problem ? error : undefined
  const isUnreachable = problem?.status === 0
  const placed = all.filter(({ text }) => text !== titles[problem?.code ?? ''])
  const detail = error instanceof Error ? error.message : ''
  // Under a title in French an English sentence that only repeats it would be in the way.
  const said = language === 'en' || titles[problem?.code ?? ''] === undefined ? detail : translated(detail)
  const title = isUnreachable ? words.unreachableTitle : titles[problem?.code ?? ''] || problem?.title
  return (
    <Note mood="bad" title={title || words.failed}>
      {placed.length === 0 && <Text size="sm">{isUnreachable ? words.unreachable : said}</Text>}
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
            {words.requestId}: <Code>{problem.requestId}</Code>
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

function translated(detail: string): string {
  const french = faultIn('fr', detail)
  return french === detail ? '' : french
}

/** A field by its label; one without is named as the API does. */
function Named({ pointer, text, labels }: FieldError & { labels: FieldLabels }) {
  const known = Object.keys(labels).filter((name) => pointer === name || pointer.startsWith(`${name}/`))
  const longest = known.sort((a, b) => b.length - a.length)[0]
  if (longest !== undefined) return <>{`${labels[longest]}: ${text}`}</>
  return (
    <>
      {pointer && <Code>{pointer.slice(1).replaceAll('/', ' › ')}</Code>} {text}
    </>
  )
}

/** For changes without a place of their own on the page. */
export function tellProblem(error: unknown): void {
  const problem = error instanceof Problem ? error : undefined
  notifications.show({
    color: 'red',
    title: problem?.title || 'Atrium',
    message: `${error instanceof Error ? error.message : ''}${problem?.requestId ? ` (${problem.requestId})` : ''}`,
    autoClose: 10_000,
    withBorder: true,
  })
}

export function tell(message: string): void {
  notifications.show({ message, color: 'atrium', withBorder: true, autoClose: 3000 })
}
