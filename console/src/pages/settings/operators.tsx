import { Button, Checkbox, Group, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useChange, useRead } from '../../api/hooks.ts'
import type { Operator } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { notifyProblem, ProblemNote } from '../../parts/problem.tsx'
import { actionsColumn, RowActions } from '../../parts/row-actions.tsx'
import { Secret } from '../../parts/secret.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { settingsWords } from './words.ts'

export function Operators() {
  const words = useWords(settingsWords)
  const { data, error } = useRead<Operator[]>('/operators')
  const [edited, setEdited] = useState<Operator | 'new'>()
  const [removed, setRemoved] = useState<Operator>()
  const [link, setLink] = useState<{ name: string; secret: string }>()
  const remove = useChange(['/operators'], () => setRemoved(undefined))
  const makeLink = ({ id, name }: Operator) =>
    call<{ path: string }>('POST', `/operators/${id}/link`)
      .then(({ data: { path } }) => setLink({ name, secret: location.origin + path }))
      .catch(notifyProblem)
  return (
    <>
      {error && <ProblemNote error={error} />}
      <Group justify="flex-end" mb="sm">
        <Button onClick={() => setEdited('new')}>{words.add}</Button>
      </Group>
      <DataTable
        label={words.operators}
        columns={useColumns(makeLink, setRemoved)}
        rows={data?.data}
        rowKey={(row) => row.id}
        onOpen={setEdited}
        empty={null}
      />
      <OperatorForm operator={edited} onClose={() => setEdited(undefined)} onCreated={makeLink} />
      <Confirm
        opened={removed !== undefined}
        title={words.remove}
        action={words.remove}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setRemoved(undefined)}
        onConfirm={() => remove.mutate({ method: 'DELETE', path: `/operators/${removed?.id}` })}
      >
        {words.removeHelp(removed?.name ?? '')}
      </Confirm>
      <Secret
        title={words.linkTitle(link?.name ?? '')}
        secret={link?.secret}
        note={words.linkHelp}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}

function useColumns(makeLink: (row: Operator) => void, remove: (row: Operator) => void): Column<Operator>[] {
  const words = useWords(settingsWords)
  const shared = useWords(common)
  return [
    { key: 'name', title: words.name, fill: true, cell: (row) => <strong>{row.name}</strong> },
    { key: 'email', title: words.email, plain: true, cell: (row) => row.email },
    { key: 'role', title: words.role, plain: true, cell: (row) => words.roles[row.role].split(/\s?:/)[0] },
    {
      key: 'state',
      title: shared.status,
      keep: true,
      cell: (row) => (
        <StateBadge mood={row.date_disabled ? 'bad' : 'good'}>
          {row.date_disabled ? words.disabled : words.active}
        </StateBadge>
      ),
    },
    {
      key: 'password',
      title: words.hasPassword,
      cell: (row) => (row.has_password ? shared.yes : shared.no),
    },
    { key: 'created', title: shared.created, cell: (row) => <Ago at={row.date_created} /> },
    actionsColumn(shared.actions, (row) => (
      <RowActions
        row={row.name}
        actions={[
          { label: words.link, name: shared.labelled(words.link, row.name), run: () => makeLink(row) },
          { label: shared.remove, name: `${shared.remove} ${row.name}`, run: () => remove(row), isLoss: true },
        ]}
      />
    )),
  ]
}

interface FormProps {
  operator: Operator | 'new' | undefined
  onClose(): void
  /** Called with a new operator who has no password, and so needs a link to sign in. */
  onCreated(operator: Operator): void
}

function OperatorForm({ operator, onClose, onCreated }: FormProps) {
  const words = useWords(settingsWords)
  const shared = useWords(common)
  const change = useChange<Operator>(['/operators', '/me'], ({ data }) => {
    onClose()
    if (operator === 'new' && !data.has_password) onCreated(data)
  })
  const errors = useFieldErrors(change.error)
  const known = operator === 'new' ? undefined : operator
  const send = (form: FormData) => {
    const { password, disabled, ...rest } = Object.fromEntries(form)
    const body = { ...rest, ...(password !== '' && { password }), ...(known && { disabled: disabled === 'on' }) }
    change.mutate({ method: known ? 'PATCH' : 'POST', path: known ? `/operators/${known.id}` : '/operators', body })
  }
  return (
    <FormDialog
      opened={operator !== undefined}
      title={known ? words.edit : words.add}
      action={shared.save}
      change={change}
      onClose={onClose}
      labels={{ '/name': words.name, '/email': words.email, '/password': words.password, '/role': words.role }}
      onSubmit={send}
    >
      <TextInput
        label={words.name}
        name="name"
        required
        defaultValue={known?.name ?? ''}
        data-autofocus
        error={errors.at('/name')}
        maxLength={100}
      />
      <TextInput
        label={words.email}
        name="email"
        type="email"
        required
        error={errors.at('/email')}
        defaultValue={known?.email ?? ''}
      />
      <Select
        label={words.role}
        name="role"
        defaultValue={known?.role ?? 'viewer'}
        data={Object.entries(words.roles).map(([value, label]) => ({ value, label }))}
      />
      <PasswordInput
        label={words.password}
        name="password"
        description={known ? words.passwordHelp : words.newPasswordHelp}
        error={errors.at('/password')}
        autoComplete="new-password"
      />
      {known && <Checkbox label={words.disable} name="disabled" defaultChecked={known.date_disabled !== null} />}
    </FormDialog>
  )
}
