import { Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { segment } from '../../api/client.ts'
import { type ChangeOf, useChange } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Area, Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'
import { FacilityTime } from './facility-time.tsx'
import { MoveGuest } from './move-guest.tsx'
import classes from './room-drawer.module.css'
import { AddService, Services } from './room-services.tsx'
import { roomWords } from './room-words.ts'

interface Props {
  facility: Facility
  area: Area | undefined
  onClose(): void
  /** Shows the room that the guest has moved to. */
  onMoved(room: string): void
}

/** Drawer with state, services and name of one room. */
export function RoomDrawer({ facility, area, onClose, onMoved }: Props) {
  const words = useWords(common)
  return (
    <Drawer
      opened={area !== undefined}
      onClose={onClose}
      position="right"
      size={420}
      title={area?.name}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {area && <Room key={area.id_external} facility={facility} area={area} onMoved={onMoved} />}
    </Drawer>
  )
}

function Room({ facility, area, onMoved }: { facility: Facility; area: Area; onMoved(room: string): void }) {
  const words = useWords(roomWords)
  const mayEdit = useMay('editor')
  const path = `/areas/${segment(area.id_external)}`
  const change = useChange([path, '/facilities'])
  return (
    <Stack gap="md">
      <Group gap="xs">
        <StateBadge mood={area.opened_at === null ? 'plain' : 'good'}>
          {area.opened_at === null ? words.closed : words.open}
        </StateBadge>
        <code>{area.id_external}</code>
        <Text size="sm" c="dimmed">
          {area.opened_at && (
            <>
              {words.since} <FacilityTime at={area.opened_at} timeZone={facility.timezone} />.{' '}
            </>
          )}
          {words.timezone(facility.timezone)}
        </Text>
      </Group>
      {change.error && <ProblemNote error={change.error} />}
      {mayEdit && <RoomActions facility={facility} area={area} path={path} change={change} onMoved={onMoved} />}
      <section>
        <h2 className={classes.heading}>{words.services}</h2>
        {area.services === undefined ? (
          <Text size="sm" c="dimmed">
            {words.hidden}
          </Text>
        ) : (
          <Services facility={facility} services={area.services} path={path} change={change} />
        )}
      </section>
      {mayEdit && facility.room_services && (
        <AddService key={area.cycle} path={path} cycle={area.cycle} change={change} />
      )}
      {mayEdit && <Rename facility={facility} area={area} />}
    </Stack>
  )
}

interface ActionProps {
  facility: Facility
  area: Area
  path: string
  change: ChangeOf
  onMoved(room: string): void
}

/** Actions of a room, the most likely first; those that end a stay or delete services ask for confirmation. */
function RoomActions({ facility, area, path, change, onMoved }: ActionProps) {
  const words = useWords(roomWords)
  const { labelled } = useWords(common)
  // The room as it was when the question was asked: it is read again meanwhile, and can have another guest by then.
  const [asked, setAsked] = useState<{ step: Step; room: Area }>()
  const isOpen = area.opened_at !== null
  const ask = (step: Step) => setAsked({ step, room: area })
  const run = (step: Step, { cycle }: Area) =>
    change.mutate({ method: 'POST', path: `${path}/${step}`, cycle }, { onSettled: () => setAsked(undefined) })
  return (
    <div>
      {isOpen ? (
        <Group gap="xs">
          <Button onClick={() => ask('close')}>{words.closeRoom}</Button>
          <Button variant="subtle" onClick={() => ask('open')}>
            {words.nextGuest}
          </Button>
        </Group>
      ) : (
        <Button onClick={() => (area.services_count > 0 ? ask('open') : run('open', area))}>{words.openRoom}</Button>
      )}
      <Text size="xs" c="dimmed" mt={6}>
        {lostIn(area, words)}
      </Text>
      {isOpen && facility.room_services && <MoveGuest facility={facility} area={area} onMoved={onMoved} />}
      {asked && (
        <Confirm
          opened
          title={labelled(actionOf(asked.step, asked.room, words), area.id)}
          action={actionOf(asked.step, asked.room, words)}
          isPending={change.isPending}
          onClose={() => setAsked(undefined)}
          onConfirm={() => run(asked.step, asked.room)}
        >
          {lostIn(asked.room, words)}
        </Confirm>
      )}
    </div>
  )
}

type Step = 'open' | 'close'
type RoomWords = (typeof roomWords)['en']

/** Says what is lost when the room is opened or closed. */
function lostIn({ opened_at, services_count: services }: Area, words: RoomWords): string | false {
  return opened_at === null ? services > 0 && words.preparedServicesEnd(services) : words.stayEnds(services)
}

function actionOf(step: Step, { opened_at }: Area, words: RoomWords): string {
  if (step === 'close') return words.closeRoom
  return opened_at === null ? words.openRoom : words.nextGuest
}

function Rename({ facility, area }: { facility: Facility; area: Area }) {
  const words = useWords(roomWords)
  const shared = useWords(common)
  const path = `/facilities/${segment(facility.id_external)}`
  const rename = useChange([path, `/areas/${segment(area.id_external)}`], () => notify(shared.saved))
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = new FormData(event.currentTarget).get('name')
    rename.mutate({ method: 'PATCH', path: `${path}/areas`, body: { areas: [{ id: area.id, name }] } })
  }
  return (
    <form onSubmit={send}>
      {rename.error && <ProblemNote error={rename.error} />}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput label={words.rename} name="name" defaultValue={area.name} required flex={1} maxLength={255} />
        <Button type="submit" variant="default" loading={rename.isPending}>
          {shared.save}
        </Button>
      </Group>
    </form>
  )
}
