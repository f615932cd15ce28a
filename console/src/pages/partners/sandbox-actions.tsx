import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import type { Sandbox } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { notify, notifyProblem } from '../../parts/problem.tsx'
import { sandboxWords } from './sandbox-words.ts'

const steps = ['PT15M', 'PT1H', 'P1D', 'P1W'] as const

/** Actions of a sandbox: move the clock, reset, remove. */
export function SandboxActions({ id, path: partner }: { id: string; path: string }) {
  const path = `${partner}/sandbox`
  const stale = [`${partner}/sandboxes`]
  const words = useWords(sandboxWords)
  const [active, setActive] = useState<'reset' | 'remove'>()
  const move = useChange<Sandbox>(stale, () => notify(words.moved))
  const reset = useChange<Sandbox>(stale, () => {
    setActive(undefined)
    notify(words.wasReset)
  })
  const remove = useChange<Sandbox>(stale)
  const advance = (step: string) =>
    move.mutate({ method: 'POST', path: `${path}/clock`, body: { advance: step } }, { onError: notifyProblem })
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
        <Button variant="default" onClick={() => setActive('reset')}>
          {words.reset}
        </Button>
        <Button variant="default" c="var(--bad)" onClick={() => setActive('remove')}>
          {words.remove}
        </Button>
      </Group>
      <Confirm
        opened={active === 'reset'}
        title={words.reset}
        action={words.reset}
        isPending={reset.isPending}
        error={reset.error}
        onClose={() => setActive(undefined)}
        onConfirm={() => reset.mutate({ method: 'POST', path: `${path}/reset` })}
      >
        {words.resetHelp}
      </Confirm>
      <Confirm
        opened={active === 'remove'}
        title={words.remove}
        action={words.remove}
        typed={id}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setActive(undefined)}
        onConfirm={() => remove.mutate({ method: 'DELETE', path })}
      >
        {words.removeHelp(id)}
      </Confirm>
    </>
  )
}
