import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { ProblemNote, tell } from '../../parts/problem.tsx'
import { common } from '../../parts/words.ts'
import { roomWords } from './room-words.ts'

interface Props {
  facility: Facility
  opened: boolean
  onClose(): void
}

export function AddRooms({ facility, opened, onClose }: Props) {
  const words = useWords(roomWords)
  const shared = useWords(common)
  const path = `/facilities/${segment(facility.id_external)}`
  const add = useChange<{ created: number }>([path, '/facilities'], ({ data }) => {
    tell(words.added(data.created))
    onClose()
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { range, name } = Object.fromEntries(new FormData(event.currentTarget))
    const id = String(range).trim()
    const one = String(name).replaceAll('{id}', id)
    const body = /\d-.*\d/.test(id) ? { range: id, name } : { areas: [{ id, name: one }] }
    add.mutate({ method: 'POST', path: `${path}/areas`, body })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={words.addRooms} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {add.error && <ProblemNote error={add.error} />}
          <TextInput
            label={words.range}
            name="range"
            placeholder="101-140"
            description={words.rangeHelp}
            required
            data-autofocus
          />
          <TextInput
            label={words.pattern}
            name="name"
            defaultValue={`${words.room} {id}`}
            description={words.patternHelp}
            required
            maxLength={200}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {words.addRooms}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
