import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useChange } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { NameAndId } from '../../parts/name-and-id.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { common } from '../../parts/words.ts'
import { facilityWords } from './words.ts'

export function AddFacility({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const words = useWords(facilityWords)
  const shared = useWords(common)
  const navigate = useNavigate()
  const create = useChange<Facility>(['/facilities', '/audit'], ({ data }) => {
    onClose()
    void navigate({ to: '/facilities/$facilityId', params: { facilityId: data.id_external } })
  })
  const errors = useFieldErrors(create.error)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = Object.fromEntries(new FormData(event.currentTarget))
    create.mutate({ method: 'POST', path: '/facilities', body: form })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={words.add} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {create.error && (
            <ProblemNote
              error={create.error}
              labels={{ '/name': shared.name, '/id_external': words.idExternal, '/timezone': words.timezone }}
            />
          )}
          <NameAndId idField="id_external" idLabel={words.idExternal} idHelp={words.addHelp} errors={errors} />
          <Select
            label={shared.type}
            name="type"
            defaultValue="hotel"
            data={Object.entries(words.type).map(([value, label]) => ({ value, label }))}
          />
          <TextInput
            label={words.timezone}
            name="timezone"
            required
            error={errors.at('/timezone')}
            defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {words.create}
            </Button>
          </Group>
          <Text className="visually-hidden" role="status">
            {create.isPending ? shared.loading : ''}
          </Text>
        </Stack>
      </form>
    </Modal>
  )
}
