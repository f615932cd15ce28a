import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Problem } from '../api/client.ts'
import { useWords } from '../app/language.tsx'
import { ChunkMissing } from '../app/page-chunk.ts'
import { Page } from './page.tsx'
import { ProblemNote } from './problem.tsx'
import { Reconnect } from './reconnect.tsx'
import { common } from './words.ts'

export function FailedPage({ error, reset }: ErrorComponentProps) {
  const words = useWords(common)
  if (error instanceof ChunkMissing || (error instanceof Problem && error.status === 0)) return <Reconnect />
  return (
    <Page title={words.failed}>
      <ProblemNote error={error} />
      <Button mt="md" variant="default" onClick={reset}>
        {words.again}
      </Button>
    </Page>
  )
}

/** Shows the error page without the header and navigation around it. */
export function FailedOutside(props: ErrorComponentProps) {
  return (
    <main>
      <FailedPage {...props} />
    </main>
  )
}
