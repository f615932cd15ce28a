import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { type Change, useChange } from '../api/hooks.ts'
import { useWords } from '../app/language.tsx'
import { Confirm } from './confirm.tsx'
import { useFieldErrors } from './field-errors.ts'
import { FormDialog } from './form-dialog.tsx'
import { Secret } from './secret.tsx'
import type { SecretRow, SecretStep } from './secret-row.ts'
import { Ago } from './time.tsx'
import { ImportFields, importBody, TokenFields, tokenBody } from './token-fields.tsx'
import { tokenWords } from './token-words.ts'
import { common } from './words.ts'

interface Props {
  active: SecretStep | undefined
  base: string
  list: string
  createLabel: string
  onDone(): void
}

/** Dialogs to create, change, rotate and revoke; a new secret is shown once. */
export function TokenDialogs({ active, base, list, createLabel, onDone }: Props) {
  const words = useWords(tokenWords)
  const shared = useWords(common)
  const [secret, setSecret] = useState<string>()
  const change = useChange<{ secret?: string }>([list], ({ data }) => {
    setSecret(data.secret)
    onDone()
  })
  const close = () => {
    change.reset()
    onDone()
  }
  const row = active && 'row' in active ? active.row : undefined
  const name = row?.name ?? ''
  const send = (request: Omit<Change, 'path'>, path = `${base}/${row?.id}`) => change.mutate({ ...request, path })
  const errors = useFieldErrors(change.error)
  const labels = {
    '/name': words.name,
    '/expires_at': words.expires,
    '/allowed_ranges': words.ranges,
    '/sha256': words.sha256,
    '/rotate_by': words.rotateBy,
  }
  const dialog = { change, labels, onClose: close }
  return (
    <>
      <FormDialog
        {...dialog}
        opened={active?.step === 'create'}
        title={createLabel}
        action={words.create}
        onSubmit={(form) => send({ method: 'POST', body: tokenBody(form) }, list)}
      >
        <TokenFields errors={errors} />
      </FormDialog>
      <FormDialog
        {...dialog}
        opened={active?.step === 'import'}
        title={words.importToken}
        action={words.import}
        onSubmit={(form) => send({ method: 'POST', body: importBody(form) }, `${list}/import`)}
      >
        <ImportFields errors={errors} />
        <TokenFields errors={errors} />
      </FormDialog>
      <FormDialog
        {...dialog}
        opened={active?.step === 'edit'}
        title={`${words.edit} ${name}`}
        action={shared.save}
        onSubmit={(form) => send({ method: 'PATCH', body: tokenBody(form, row) })}
      >
        <TokenFields known={row} errors={errors} />
      </FormDialog>
      <FormDialog
        {...dialog}
        opened={active?.step === 'rotate'}
        title={`${words.rotate} ${name}`}
        action={words.rotate}
        onSubmit={(form) => {
          const body = { grace_seconds: Number(form.get('grace')) }
          send({ method: 'POST', body }, `${base}/${row?.id}/rotate`)
        }}
      >
        <Grace />
      </FormDialog>
      <Confirm
        opened={active?.step === 'revoke'}
        title={`${words.revoke} ${name}`}
        action={words.revoke}
        isPending={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={() => send({ method: 'DELETE' })}
      >
        {words.revokeHelp(name)}
        {row?.last_used && (
          <Text size="sm" mt="xs" fw={600} c={isUsed(row) ? 'var(--bad)' : 'dimmed'}>
            {shared.labelled(shared.lastUsed, '')}
            <Ago at={row.last_used} />. {isUsed(row) && words.stillUsed}
          </Text>
        )}
      </Confirm>
      <Secret title={words.secretTitle} secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

function Grace() {
  const words = useWords(tokenWords)
  return (
    <>
      <Text size="sm">{words.rotateHelp}</Text>
      <Select
        label={words.grace}
        name="grace"
        defaultValue="604800"
        data={Object.entries(words.graces).map(([value, label]) => ({ value, label }))}
      />
    </>
  )
}

function isUsed(row: SecretRow | undefined): boolean {
  return row?.last_used != null && Date.parse(row.last_used) > Date.now() - 86_400_000
}
