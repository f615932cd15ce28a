import { ActionIcon, Button, Select, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pathWith } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Device, Facility } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Icon } from '../../parts/icons.tsx'
import { Note } from '../../parts/note.tsx'
import { Page } from '../../parts/page.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { common } from '../../parts/words.ts'
import { DeviceForm } from './device-form.tsx'
import classes from './install.module.css'
import { listFacilities, type OfflineFacility, type Task } from './offline-store.ts'
import { RoomPicker } from './room-picker.tsx'
import { useFacility } from './use-facility.ts'
import { useIsOffline } from './use-is-offline.ts'
import { type TaskState, useTasks } from './use-tasks.ts'
import { installWords } from './words.ts'
import { startWorker } from './worker.ts'

/** Installer view for phones: facility, room, device; works offline. */
export function InstallPage() {
  const words = useWords(installWords)
  const { facility: id } = useSearch({ from: '/signed-in/install' })
  const mayEdit = useMay('editor')
  const isOffline = useIsOffline()
  const { facility, error, place } = useFacility(id)
  const { tasks, sent, add, drop } = useTasks()
  useEffect(startWorker, [])
  return (
    <Page title={words.title}>
      <div className={classes.column}>
        {isOffline && <Note mood="warn">{words.offline}</Note>}
        {!mayEdit && <Note mood="warn">{words.mayNot}</Note>}
        <FacilityChoice chosen={id} />
        {error !== undefined && <ProblemNote error={error} />}
        {facility && mayEdit && (
          <Association key={facility.id} facility={facility} tasks={tasks} onAdd={add} onPlaced={place} />
        )}
        <Waiting tasks={tasks} sent={sent} onDrop={drop} />
      </div>
    </Page>
  )
}

function FacilityChoice({ chosen }: { chosen: string | undefined }) {
  const words = useWords(installWords)
  const navigate = useNavigate({ from: '/install' })
  const [text, setText] = useState('')
  const [kept, setKept] = useState<OfflineFacility[]>([])
  const found = useRead<Facility[]>(pathWith('/facilities', { q: text.split(' · ')[0], limit: 30 }), { keep: true })
  useEffect(() => {
    listFacilities().then(setKept, () => {})
  }, [])
  const names = new Map(kept.map(({ id, name }) => [id, name]))
  for (const { id_external: id, name } of found.data?.data ?? []) names.set(id, name)
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen)
  return (
    <Select
      label={words.facility}
      placeholder={words.facilityHelp}
      size="md"
      searchable
      data={[...names].map(([value, name]) => ({ value, label: `${name} · ${value}` }))}
      value={chosen ?? null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(facility) => void navigate({ search: facility === null ? {} : { facility } })}
    />
  )
}

interface AssociationProps {
  facility: OfflineFacility
  tasks: Task[]
  onAdd(task: Task): Promise<TaskState>
  /** Current devices, including assignments not yet sent to the server. */
  onPlaced(device: Device): void
}

function Association({ facility, tasks, onAdd, onPlaced }: AssociationProps) {
  const words = useWords(installWords)
  const [room, setRoom] = useState<{ id: string; name: string }>()
  const [moved, setMoved] = useState<Device>()
  if (room === undefined) return <RoomPicker entries={facility.entries} onPick={setRoom} />
  const nameOf = (area: string) => facility.entries.find(({ id }) => id === area)?.name ?? area
  const associate = async (device: Device) => {
    setMoved(undefined)
    const placed = { ...device, area: room.id }
    const state = await onAdd({ facility: facility.id, room: room.name, device: placed })
    if (state !== 'refused') {
      onPlaced(placed)
      notify(words[state === 'sent' ? 'saved' : 'queued'](device.serial ?? device.id, room.name))
    }
    setRoom(undefined)
  }
  const save = async (device: Device) => {
    const waiting = tasks.findLast((task) => task.facility === facility.id && task.device.id === device.id)
    const area = waiting?.device.area ?? device.area
    if (area === null || area === room.id) await associate(device)
    else setMoved({ ...device, area })
  }
  return (
    <>
      <div className={`panel ${classes.chosen}`}>
        <span>
          <strong>{room.name}</strong> <code>{room.id}</code>
        </span>
        <Button variant="default" size="compact-sm" onClick={() => setRoom(undefined)}>
          {words.change}
        </Button>
      </div>
      <DeviceForm facility={facility} onSave={save} />
      <Confirm
        opened={moved !== undefined}
        title={words.moveTitle(moved?.serial ?? '')}
        action={words.move}
        isLoss={false}
        onClose={() => setMoved(undefined)}
        onConfirm={() => moved && void associate(moved)}
      >
        {words.moveHelp(moved?.serial ?? '', nameOf(moved?.area ?? ''), room.name)}
      </Confirm>
    </>
  )
}

interface WaitingProps {
  tasks: Task[]
  sent: number
  onDrop(task: Task): Promise<void>
}

function Waiting({ tasks, sent, onDrop }: WaitingProps) {
  const words = useWords(installWords)
  const { labelled } = useWords(common)
  const { language } = useLanguage()
  return (
    <section aria-live="polite">
      {(sent > 0 || tasks.length > 0) && (
        <Text size="sm" c="dimmed">
          {words.sent(sent)} · {words.waiting(tasks.length)}
        </Text>
      )}
      <ul className={classes.tasks}>
        {tasks.map((task) => (
          <li key={task.key}>
            <span>
              <code>{task.device.serial}</code> → {task.room}
              {!task.problem && (
                <Text component="span" size="xs" c="dimmed" display="block">
                  {words.notSent}
                </Text>
              )}
              {task.problem && (
                <Text component="span" size="xs" c="var(--bad)" display="block">
                  {labelled(words.refused, faultIn(language, task.problem))}
                </Text>
              )}
            </span>
            {task.problem && (
              <ActionIcon variant="subtle" color="gray" aria-label={words.drop} onClick={() => void onDrop(task)}>
                <Icon name="close" size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
