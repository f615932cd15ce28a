import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type ChangeOf, useChange } from '../../api/hooks.ts'
import type { Facility, Service } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icons.tsx'
import { DateTime } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
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
              <strong>{nameOf(service)}</strong> <code>{service.code}</code>
              {service.end && (
                <Text component="span" size="xs" c="dimmed" display="block">
                  {words.end} <DateTime at={service.end} />
                </Text>
              )}
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
  const send = (form: FormData) => {
    const given = form.get('end')
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
        name="end"
        label={words.end}
        description={words.endHelp(facility.timezone)}
        defaultValue={end === null ? '' : localTime(end, facility.timezone)}
        data-autofocus
      />
    </FormDialog>
  )
}

/** Returns the time on the clocks of the facility, as the browser's field for dates takes it: the Swedish form is ISO 8601. */
function localTime(at: string, timeZone: string): string {
  const text = new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return text.replace(' ', 'T')
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
