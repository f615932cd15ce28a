import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type ChangeOf, useChange } from '../../api/hooks.ts'
import type { Facility, Service } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'
import { FacilityTime, toFieldTime } from './facility-time.tsx'
import classes from './room-drawer.module.css'
import { roomWords } from './room-words.ts'

interface Props {
  facility: Facility
  services: Service[]
  path: string
  change: ChangeOf
}

export function Services({ facility, services, path, change }: Props) {
  const words = useWords(roomWords)
  const { remove, labelled } = useWords(common)
  const [chosen, setChosen] = useState<Service>()
  if (services.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {words.noServices}
      </Text>
    )
  }
  return (
    <>
      <ul className={classes.services}>
        {services.map((service) => (
          <li key={service.id}>
            <span>
              <strong>{nameOf(service)}</strong> <Window service={service} timeZone={facility.timezone} />
            </span>
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                color="gray"
                title={words.changeEnd}
                aria-label={labelled(words.changeEnd, nameOf(service))}
                onClick={() => setChosen(service)}
              >
                <Icon name="calendar" size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`${remove} ${nameOf(service)}`}
                onClick={() => change.mutate({ method: 'DELETE', path: `${path}/services/${service.id}` })}
              >
                <Icon name="trash" size={16} />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ul>
      {chosen && <ChangeEnd facility={facility} service={chosen} path={path} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const moods = { valid: 'good', expired: 'bad', later: 'plain' } as const

/** Says whether the service is valid now, and from when to when. */
function Window({ service: { code, label, start, end }, timeZone }: { service: Service; timeZone: string }) {
  const words = useWords(roomWords)
  const now = Date.now()
  const state =
    end !== null && Date.parse(end) <= now ? 'expired' : start !== null && Date.parse(start) > now ? 'later' : 'valid'
  return (
    <>
      <StateBadge mood={moods[state]}>{words.windows[state]}</StateBadge>
      <Text component="div" size="xs" c="dimmed">
        {label && <code>{code}</code>}
        {start && state === 'later' && (
          <div>
            {words.start} <FacilityTime at={start} timeZone={timeZone} />
          </div>
        )}
        {end && (
          <div>
            {state === 'expired' ? words.ended : words.ends} <FacilityTime at={end} timeZone={timeZone} />
          </div>
        )}
      </Text>
    </>
  )
}

function nameOf({ label, code }: Service): string {
  return label ?? code
}

interface ChangeEndProps {
  facility: Facility
  service: Service
  path: string
  onClose(): void
}

/** Changes the end of a service, in the time zone of the facility. */
function ChangeEnd({ facility, service, path, onClose }: ChangeEndProps) {
  const words = useWords(roomWords)
  const { save, labelled } = useWords(common)
  const change = useChange([path, '/facilities'], onClose)
  const { id, end } = service
  const shown = toFieldTime(end, facility.timezone)
  const send = (form: FormData) => {
    const given = form.get('end')
    if (given === shown) return onClose()
    const body = { end: given === '' ? null : given }
    change.mutate({ method: 'PATCH', path: `${path}/services/${id}`, body })
  }
  return (
    <FormDialog
      opened
      title={labelled(words.changeEnd, nameOf(service))}
      action={save}
      change={change}
      labels={{ '/end': words.end }}
      onSubmit={send}
      onClose={onClose}
    >
      <TextInput
        type="datetime-local"
        step={1}
        name="end"
        label={words.end}
        description={words.endHelp(facility.timezone)}
        defaultValue={shown}
        data-autofocus
      />
    </FormDialog>
  )
}

interface AddServiceProps {
  path: string
  /** The stay that is shown; null for a closed room. */
  cycle: string | null
  change: ChangeOf
}

export function AddService({ path, cycle, change }: AddServiceProps) {
  const words = useWords(roomWords)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = Object.entries(Object.fromEntries(new FormData(form))).filter(([, value]) => value !== '')
    const services = [Object.fromEntries(given)]
    const request = { method: 'POST', path: `${path}/services`, cycle, body: { services } } as const
    change.mutate(request, { onSuccess: () => form.reset() })
  }
  return (
    <form onSubmit={send} className={classes.form}>
      <TextInput label={words.code} name="code" required maxLength={64} />
      <TextInput label={words.label} name="label" maxLength={255} />
      <TextInput label={words.end} name="end" type="date" />
      <Button type="submit" variant="default" loading={change.isPending}>
        {words.addService}
      </Button>
    </form>
  )
}
