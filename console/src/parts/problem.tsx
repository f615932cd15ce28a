import { Button, Code, Group, List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Problem } from '../api/client.ts'
import { useWords } from '../app/language.tsx'
import { Note } from './note.tsx'
import { common } from './words.ts'

/** What went wrong, in plain words, with what support needs to find it. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = useWords(common)
  const problem = error instanceof Problem ? error : undefined
  return (
    <Note mood="bad" title={problem?.title || words.failed}>
      <Text size="sm">{problem?.status === 0 ? words.unreachable : error instanceof Error ? error.message : ''}</Text>
      {problem && problem.errors.length > 1 && (
        <List size="sm" mt={4}>
          {problem.errors.slice(0, 12).map(({ pointer, detail }) => (
            <List.Item key={`${pointer}${detail}`}>
              {pointer && <Code>{pointer}</Code>} {detail}
            </List.Item>
          ))}
        </List>
      )}
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
