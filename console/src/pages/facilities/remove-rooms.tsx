import { Button } from '@mantine/core'
import { useState } from 'react'
import { call, segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Facility, Lost } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Icon } from '../../parts/icons.tsx'
import { notifyProblem } from '../../parts/problem.tsx'
import { roomWords } from './room-words.ts'

/** Removes rooms after a dry run that shows what would be lost. */
export function RemoveRooms({ facility, ids, onRemoved }: { facility: Facility; ids: string[]; onRemoved(): void }) {
  const words = useWords(roomWords)
  const [lost, setLost] = useState<Lost>()
  const path = `/facilities/${segment(facility.id_external)}`
  const remove = useChange([path, '/facilities'], () => {
    setLost(undefined)
    onRemoved()
  })
  const ask = () =>
    call<{ lost: Lost }>('DELETE', `${path}/areas?dry_run=true`, { body: { ids } })
      .then(({ data }) => setLost(data.lost))
      .catch(notifyProblem)
  return (
    <>
      <Button variant="default" c="var(--bad)" leftSection={<Icon name="trash" size={16} />} onClick={ask}>
        {words.removeRooms(ids.length)}
      </Button>
      <Confirm
        opened={lost !== undefined}
        title={words.removeRooms(ids.length)}
        action={words.removeRooms(ids.length)}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => setLost(undefined)}
        onConfirm={() => remove.mutate({ method: 'DELETE', path: `${path}/areas`, body: { ids } })}
      >
        {lost && words.removeHelp(lost.areas, lost.open_rooms, lost.subscriptions)}
      </Confirm>
    </>
  )
}
