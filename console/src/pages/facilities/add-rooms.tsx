import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { common } from '../../parts/words.ts'
import { roomWords } from './room-words.ts'

interface Props {
  facility: Facility
  /** Name of an existing room, as a pattern for the new ones. */
  example: { id: string; name: string } | undefined
  opened: boolean
  onClose(): void
}

export function AddRooms({ facility, example, opened, onClose }: Props) {
  const words = useWords(roomWords)
  const shared = useWords(common)
  const form = useRef<HTMLFormElement>(null)
  const path = `/facilities/${segment(facility.id_external)}`
  const add = useChange<{ created: number; skipped: number }>([path, '/facilities'], ({ data }) => {
    notify(words.added(data.created, data.skipped))
    onClose()
  })
  const errors = useFieldErrors(add.error)
  const send = (form: HTMLFormElement, skipExisting: boolean) => {
    const { range, name } = Object.fromEntries(new FormData(form))
    const id = String(range).trim()
    const one = String(name).replaceAll('{id}', id)
    const rooms = /\d-.*\d/.test(id) ? { range: id, name } : { areas: [{ id, name: one }] }
    add.mutate({ method: 'POST', path: `${path}/areas`, body: { ...rooms, skip_existing: skipExisting } })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={words.addRooms} closeButtonProps={{ 'aria-label': shared.close }}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          send(event.currentTarget, false)
        }}
      >
        <Stack gap="sm">
          {add.error && (
            <ProblemNote error={add.error} labels={{ '/range': words.range, '/name': words.pattern }}>
              {add.error.code === 'area_exists' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  mt={6}
                  onClick={() => form.current && send(form.current, true)}
                >
                  {words.skipExisting}
                </Button>
              )}
            </ProblemNote>
          )}
          <TextInput
            label={words.range}
            name="range"
            placeholder="101-140"
            error={errors.at('/range') ?? errors.at('/areas/0/id')}
            description={words.rangeHelp}
            required
            data-autofocus
          />
          <TextInput
            label={words.pattern}
            name="name"
            defaultValue={patternOf(example) ?? `${words.room} {id}`}
            description={words.patternHelp}
            error={errors.at('/name') ?? errors.at('/areas/0/name')}
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

/** Derives the pattern `Chambre {id}` from a room 101 called `Chambre 101`. */
function patternOf(example: { id: string; name: string } | undefined): string | undefined {
  if (example === undefined || !example.name.includes(example.id)) return undefined
  return example.name.replace(example.id, '{id}')
}
