import { ActionIcon, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Device, Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { Icon } from '../../parts/icons.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { moodOf, StateBadge } from '../../parts/state-badge.tsx'
import { WordField } from '../../parts/word-input.tsx'
import { common } from '../../parts/words.ts'
import { deviceWords } from './device-words.ts'
import { facilityWords } from './words.ts'

const fields = ['type', 'model', 'serial', 'status', 'area'] as const
/** The fields whose values are shown by labels. */
const labelsOf: Partial<Record<(typeof fields)[number], 'types' | 'statuses'>> = { type: 'types', status: 'statuses' }

export function Devices({ facility }: { facility: Facility }) {
  const words = useWords(deviceWords)
  const mayEdit = useMay('editor')
  const { devices: label } = useWords(facilityWords)
  const { actions } = useWords(common)
  const [edited, setEdited] = useState<Device | 'new'>()
  const [removed, setRemoved] = useState<Device>()
  const path = `/facilities/${segment(facility.id_external)}`
  const remove = useChange([path, '/facilities'], () => setRemoved(undefined))
  const texts = (['type', 'model', 'serial', 'area'] as const).map<Column<Device>>((key) => ({
    key,
    title: words[key],
    cell: (row) => (key === 'type' ? (words.types[row.type] ?? row.type) : (row[key] ?? '')),
  }))
  const columns: Column<Device>[] = [
    { key: 'id', title: words.id, main: true, cell: (row) => <code>{row.id}</code> },
    ...texts,
    {
      key: 'status',
      title: words.status,
      keep: true,
      cell: (row) =>
        row.status && <StateBadge mood={moodOf(row.status)}>{words.statuses[row.status] ?? row.status}</StateBadge>,
    },
    actionsColumn(
      actions,
      (row) =>
        mayEdit && (
          <ActionIcon variant="subtle" color="gray" aria-label={words.remove(row.id)} onClick={() => setRemoved(row)}>
            <Icon name="trash" size={16} />
          </ActionIcon>
        ),
    ),
  ]
  return (
    <>
      {mayEdit && (
        <Group mb="sm" justify="flex-end">
          <Button leftSection={<Icon name="add" size={16} />} onClick={() => setEdited('new')}>
            {words.add}
          </Button>
        </Group>
      )}
      <DataTable
        label={label}
        columns={columns}
        rows={facility.devices ?? []}
        rowKey={(row) => row.id}
        onOpen={mayEdit ? setEdited : undefined}
        empty={<Empty title={words.emptyTitle}>{words.empty}</Empty>}
      />
      <DeviceForm path={path} device={edited} onClose={() => setEdited(undefined)} />
      <Confirm
        opened={removed !== undefined}
        title={words.remove(removed?.id ?? '')}
        action={words.remove(removed?.id ?? '')}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setRemoved(undefined)}
        onConfirm={() => remove.mutate({ method: 'DELETE', path: `${path}/devices/${segment(removed?.id ?? '')}` })}
      >
        {words.removeHelp}
      </Confirm>
    </>
  )
}

function DeviceForm({ path, device, onClose }: { path: string; device: Device | 'new' | undefined; onClose(): void }) {
  const words = useWords(deviceWords)
  const shared = useWords(common)
  const put = useChange([path, '/facilities'], onClose)
  const known = device === 'new' ? undefined : device
  const errors = useFieldErrors(put.error)
  const labels = Object.fromEntries(fields.map((name) => [`/${name}`, words[name]]))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const id = known?.id ?? String(form.get('id'))
    const body = Object.fromEntries(fields.map((name) => [name, String(form.get(name) ?? '').trim() || null]))
    put.mutate({ method: 'PUT', path: `${path}/devices/${segment(id)}`, body })
  }
  return (
    <Modal
      opened={device !== undefined}
      onClose={onClose}
      title={known?.id ?? words.add}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={send}>
        <Stack gap="sm">
          {put.error && <ProblemNote error={put.error} labels={labels} />}
          {!known && <TextInput label={words.id} name="id" required maxLength={64} data-autofocus />}
          {fields.map((name) => {
            const field = {
              ...{ label: words[name], name, error: errors.at(`/${name}`), defaultValue: known?.[name] ?? '' },
              ...{ required: name === 'type', maxLength: 255 },
            }
            const labels = labelsOf[name]
            return labels ? (
              <WordField key={name} {...field} words={words[labels]} />
            ) : (
              <TextInput key={name} {...field} />
            )
          })}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={put.isPending}>
              {shared.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
