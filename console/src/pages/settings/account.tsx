import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useChange } from '../../api/hooks.ts'
import { useOperator } from '../../api/session.ts'
import { useWords } from '../../app/language.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { common } from '../../parts/words.ts'
import { settingsWords } from './words.ts'

export function Account() {
  const words = useWords(settingsWords)
  const shared = useWords(common)
  const operator = useOperator()
  const change = useChange(['/me', '/operators', '/sessions'], () => notify(shared.saved))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = Object.entries(Object.fromEntries(new FormData(event.currentTarget)))
    change.mutate({ method: 'PATCH', path: '/me', body: Object.fromEntries(given.filter(([, value]) => value !== '')) })
  }
  return (
    <form onSubmit={send}>
      <Stack gap="sm" maw={420}>
        {change.error && <ProblemNote error={change.error} />}
        <TextInput label={words.email} value={operator.email} readOnly />
        <TextInput label={words.name} name="name" defaultValue={operator.name} required maxLength={100} />
        {operator.has_password && (
          <PasswordInput label={words.currentPassword} name="current_password" autoComplete="current-password" />
        )}
        <PasswordInput
          label={words.newPassword}
          name="password"
          description={words.ownPasswordHelp}
          autoComplete="new-password"
        />
        <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
          {shared.save}
        </Button>
      </Stack>
    </form>
  )
}
