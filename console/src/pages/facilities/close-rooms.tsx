import { Button, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { Problem, segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Area, Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Note } from '../../parts/note.tsx'
import { useProblemText } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'
import classes from './room-drawer.module.css'
import { roomWords } from './room-words.ts'

interface Result {
  id: string
  status: number
  problem?: Record<string, unknown>
}

interface Props {
  facility: Facility
  /** The selected rooms, of which those that are open are closed. */
  rooms: Area[]
  onClosed(ids: string[]): void
}

const maxRooms = 500

/** Closes the open ones of the selected rooms after a confirmation, and shows the result of each. */
export function CloseRooms({ facility, rooms, onClosed }: Props) {
  const words = useWords(roomWords)
  // The rooms as they were when the question was asked: the list is renewed meanwhile.
  const [asked, setAsked] = useState<Area[]>()
  const [results, setResults] = useState<Result[]>()
  const path = `/facilities/${segment(facility.id_external)}`
  const close = useChange<{ results: Result[] }>([path, '/facilities', '/areas'], ({ data }) => {
    setAsked(undefined)
    setResults(data.results)
    onClosed(data.results.filter(isClosed).map(({ id }) => id))
  })
  const open = rooms.filter(({ cycle }) => cycle !== null)
  return (
    <>
      {open.length > 0 && (
        <Button variant="default" onClick={() => setAsked(open)}>
          {words.closeRooms(open.length)}
        </Button>
      )}
      {asked && (
        <Confirm
          opened
          title={words.closeRooms(asked.length)}
          action={words.closeRooms(asked.length)}
          isPending={close.isPending}
          isDisabled={asked.length > maxRooms}
          error={close.error}
          onClose={() => setAsked(undefined)}
          onConfirm={() => close.mutate({ method: 'POST', path: `${path}/areas/close`, body: { areas: stays(asked) } })}
        >
          {asked.length > maxRooms ? words.tooMany(maxRooms) : words.closeHelp(asked.length, servicesIn(asked))}
        </Confirm>
      )}
      {results && <Results results={results} onClose={() => setResults(undefined)} />}
    </>
  )
}

// The cycle keeps a guest from being affected who has arrived since.
const stays = (rooms: Area[]) => rooms.map(({ id, cycle }) => ({ id, cycle }))
const servicesIn = (rooms: Area[]) => rooms.reduce((sum, room) => sum + room.services_count, 0)

const isClosed = ({ status }: Result) => status === 200

function Results({ results, onClose }: { results: Result[]; onClose(): void }) {
  const words = useWords(roomWords)
  const { close } = useWords(common)
  const title = words.closeResults(results.filter(isClosed).length, results.length)
  // Those that need attention come first.
  const sorted = results.toSorted((a, b) => Number(isClosed(a)) - Number(isClosed(b)))
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': close }}>
      <Stack gap="sm">
        {results.every(isClosed) || <Note mood="warn">{words.stillOpen}</Note>}
        <ul className={classes.services}>
          {sorted.map((result) => (
            <li key={result.id}>
              <span>
                <code>{result.id}</code>
                {result.problem && <Reason problem={result.problem} status={result.status} />}
              </span>
              <StateBadge mood={isClosed(result) ? 'plain' : 'warn'}>
                {isClosed(result) ? words.closed : words.notClosed}
              </StateBadge>
            </li>
          ))}
        </ul>
        <Button ml="auto" variant="default" onClick={onClose}>
          {close}
        </Button>
      </Stack>
    </Modal>
  )
}

function Reason({ problem, status }: { problem: Record<string, unknown>; status: number }) {
  const { title } = useProblemText(new Problem(status, problem))
  return <> {title}</>
}
