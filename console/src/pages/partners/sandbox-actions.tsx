import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import type { Sandbox } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { tell, tellProblem } from '../../parts/problem.tsx'
import { sandboxWords } from './sandbox-words.ts'

const steps = ['PT15M', 'PT1H', 'P1D', 'P1W'] as const

/** Moves its clock, puts it back to its start, removes it. */
export function SandboxActions({ id, path: partner }: { id: string; path: string }) {
  const path = `${partner}/sandbox`
  const stale = [`${partner}/sandboxes`]
  const words = useWords(sandboxWords)
  const [asked, ask] = useState<'reset' | 'remove'>()
  const move = useChange<Sandbox>(stale, () => tell(words.moved))
  const reset = useChange<Sandbox>(stale, () => {
    ask(undefined)
    tell(words.wasReset)
  })
  const remove = useChange<Sandbox>(stale)
  const advance = (step: string) =>
    move.mutate({ method: 'POST', path: `${path}/clock`, body: { advance: step } }, { onError: tellProblem })
  return (
    <>
      <Group gap="xs">
        <Text size="sm">{words.advance}</Text>
        {steps.map((step) => (
          <Button
            key={step}
            size="compact-sm"
            variant="default"
            disabled={move.isPending}
            onClick={() => advance(step)}
          >
            {words.steps[step]}
          </Button>
        ))}
      </Group>
      <Group gap="xs">
        <Button variant="default" onClick={() => ask('reset')}>
          {words.reset}
        </Button>
        <Button variant="default" c="var(--bad)" onClick={() => ask('remove')}>
          {words.remove}
        </Button>
      </Group>
      <Confirm
        opened={asked === 'reset'}
        title={words.reset}
        action={words.reset}
        isPending={reset.isPending}
        error={reset.error}
        onClose={() => ask(undefined)}
        onConfirm={() => reset.mutate({ method: 'POST', path: `${path}/reset` })}
      >
        {words.resetHelp}
      </Confirm>
      <Confirm
        opened={asked === 'remove'}
        title={words.remove}
        action={words.remove}
        typed={id}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => ask(undefined)}
        onConfirm={() => remove.mutate({ method: 'DELETE', path })}
      >
        {words.removeHelp(id)}
      </Confirm>
    </>
  )
}
