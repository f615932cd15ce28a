import { Button, List, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { pathWith, segment } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import type { Area, Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { common } from '../../parts/words.ts'
import { roomWords } from './room-words.ts'

interface Props {
  facility: Facility
  area: Area
  onMoved(room: string): void
}

/** Moves the guest of a room to a closed one, after a confirmation that says what moves. */
export function MoveGuest({ facility, area, onMoved }: Props) {
  const words = useWords(roomWords)
  // The room as it was when the dialog was opened: it can have another guest before it is confirmed.
  const [asked, setAsked] = useState<Area>()
  return (
    <>
      <Button variant="default" mt="sm" onClick={() => setAsked(area)}>
        {words.moveGuest}
      </Button>
      {asked && <MoveDialog facility={facility} area={asked} onClose={() => setAsked(undefined)} onMoved={onMoved} />}
    </>
  )
}

function MoveDialog({ facility, area, onClose, onMoved }: Props & { onClose(): void }) {
  const words = useWords(roomWords)
  const { labelled } = useWords(common)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Area>()
  const path = `/facilities/${segment(facility.id_external)}`
  const closed = useList<Area>(pathWith(`${path}/areas`, { open: 'false', q: chosen ? '' : search, limit: 50 }))
  const move = useChange([path, '/facilities', '/areas'], () => {
    onClose()
    if (chosen) onMoved(chosen.id)
  })
  const rooms = closed.rows ?? []
  const names = (area.services ?? []).map(({ label, code }) => label ?? code)
  return (
    <Confirm
      opened
      title={labelled(words.moveGuest, area.id)}
      action={words.moveGuest}
      isLoss={false}
      isDisabled={chosen === undefined}
      isPending={move.isPending}
      error={move.error}
      onClose={onClose}
      onConfirm={() =>
        chosen &&
        move.mutate({
          method: 'POST',
          path: `/areas/${segment(area.id_external)}/move`,
          // The cycle keeps another guest from being moved who has arrived since the page was loaded.
          body: { to: chosen.id_external, cycle: area.cycle },
        })
      }
    >
      <Stack gap="sm">
        <Select
          label={words.moveTo}
          description={words.moveToHelp}
          data={rooms.map(({ id, name }) => ({ value: id, label: `${id} · ${name}` }))}
          value={chosen?.id ?? null}
          onChange={(id) => setChosen(rooms.find((room) => room.id === id))}
          searchable
          onSearchChange={setSearch}
          filter={({ options }) => options}
          nothingFoundMessage={words.noneTitle}
          data-autofocus
        />
        {chosen && (
          <List size="sm" spacing={4}>
            <List.Item>{words.stayMoves(chosen.id)}</List.Item>
            <List.Item>{words.servicesMove(names.join(', '))}</List.Item>
            <List.Item>{words.roomCloses(area.id)}</List.Item>
            {chosen.services_count > 0 && <List.Item>{words.preparedServicesEnd(chosen.services_count)}</List.Item>}
          </List>
        )}
      </Stack>
    </Confirm>
  )
}
