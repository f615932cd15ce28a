import { Checkbox, MultiSelect, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange, useRead } from '../../api/hooks.ts'
import type { Delivery, EventType, Webhook } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { exactTime } from '../../parts/exact-time.ts'
import { type FieldErrors, useFieldErrors } from '../../parts/field-errors.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { notify } from '../../parts/problem.tsx'
import { Secret } from '../../parts/secret.tsx'
import { deliveredEvents } from './delivered-events.ts'
import { WebhookLog } from './webhook-log.tsx'
import { webhookWords } from './webhook-words.ts'

export type WebhookStep =
  | { step: 'create' }
  | { step: 'log' | 'rotate' | 'remove'; row: Webhook }
  | { step: 'replay'; row: Webhook; from: string | undefined }

/** All event types; the type checker refuses missing and unknown ones. */
const types = Object.keys({
  'facility.created': true,
  'facility.updated': true,
  'facility.removed': true,
  'autocomplete_list.replaced': true,
  'areas.changed': true,
  'area.opened': true,
  'area.closed': true,
  'area.moved': true,
  'services.added': true,
  'service.changed': true,
  'service.deleted': true,
  'service.started': true,
  'service.ending': true,
  'service.ended': true,
  'token.expiring': true,
} satisfies Record<EventType, true>)

interface Props {
  active: WebhookStep | undefined
  list: string
  onDone(): void
  onAsk(step: WebhookStep): void
}

/** Dialogs for each action on a webhook; a new secret is shown once. */
export function WebhookDialogs({ active, list, onDone, onAsk }: Props) {
  const words = useWords(webhookWords)
  const [secret, setSecret] = useState<string>()
  const change = useChange<{ secret?: string }>([list], ({ data }) => {
    setSecret(data.secret)
    onDone()
  })
  const replay = useChange<Webhook>([list], () => {
    notify(words.replayed)
    onDone()
  })
  const close = () => {
    change.reset()
    replay.reset()
    onDone()
  }
  const row = active && active.step !== 'create' ? active.row : undefined
  const path = `${list}/${row?.id}`
  const errors = useFieldErrors(change.error)
  const labels = { '/url': words.url, '/types': words.types, '/own': words.own }
  const rangeLabels = {
    '/from': words.from,
    '/to': words.to,
    '/from_event': words.fromEvent,
    '/to_event': words.toEvent,
  }
  return (
    <>
      <FormDialog
        opened={active?.step === 'create'}
        title={words.add}
        action={words.create}
        change={change}
        labels={labels}
        onClose={close}
        onSubmit={(form) => change.mutate({ method: 'POST', path: list, body: bodyOf(form) })}
      >
        <Fields errors={errors} />
      </FormDialog>
      <FormDialog
        opened={active?.step === 'rotate'}
        title={words.rotate}
        action={words.rotate}
        change={change}
        onClose={close}
        onSubmit={() => change.mutate({ method: 'POST', path: `${path}/rotate`, body: {} })}
      >
        <Text size="sm">{words.rotateHelp}</Text>
      </FormDialog>
      <FormDialog
        opened={active?.step === 'replay'}
        title={words.range}
        action={words.replay}
        change={replay}
        labels={rangeLabels}
        onClose={close}
        onSubmit={(form) => replay.mutate({ method: 'POST', path: `${path}/replay`, body: rangeOf(form) })}
      >
        {active?.step === 'replay' && <RangeFields path={path} from={active.from} />}
      </FormDialog>
      <Confirm
        opened={active?.step === 'remove'}
        title={words.remove}
        action={words.remove}
        isPending={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={() => change.mutate({ method: 'DELETE', path })}
      >
        {words.removeHelp(row?.url ?? '')}
      </Confirm>
      <WebhookLog
        row={active?.step === 'log' ? row : undefined}
        path={path}
        onRange={(row, from) => onAsk({ step: 'replay', row, from })}
        onClose={close}
      />
      <Secret title={words.secretTitle} secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

function Fields({ errors }: { errors: FieldErrors }) {
  const words = useWords(webhookWords)
  return (
    <>
      <TextInput
        label={words.url}
        description={words.urlHelp}
        name="url"
        type="url"
        required
        data-autofocus
        error={errors.at('/url')}
      />
      <MultiSelect label={words.types} description={words.typesHelp} name="types" data={types} clearable />
      <Checkbox label={words.own} name="own" />
    </>
  )
}

const maxEvents = 1000

/** The range to send again: from one of the sent events to another, or between two times. */
function RangeFields({ path, from }: { path: string; from: string | undefined }) {
  const words = useWords(webhookWords)
  const { language } = useLanguage()
  const { data } = useRead<Delivery[]>(`${path}/deliveries?limit=${maxEvents}`)
  const events = deliveredEvents(data?.data ?? []).map(({ last: { event, type, at, facility, area } }) => {
    const place = area ?? facility
    return { value: event, label: [exactTime(at, language), type, ...(place ? [place] : [])].join(' · ') }
  })
  const select = { data: events, searchable: true, clearable: true }
  return (
    <>
      <Text size="sm">{words.rangeHelp}</Text>
      <Select
        key={data === undefined ? '' : from}
        label={words.fromEvent}
        name="from_event"
        defaultValue={from ?? null}
        {...select}
      />
      <Select label={words.toEvent} description={words.toHelp} name="to_event" {...select} />
      <TextInput label={words.from} name="from" type="datetime-local" step={1} />
      <TextInput label={words.to} description={words.toHelp} name="to" type="datetime-local" step={1} />
    </>
  )
}

/** Returns the range of a replay from the form. Its times are in the time zone of the browser. */
function rangeOf(form: FormData): object {
  const given = [...form].filter(([, value]) => value !== '') as [string, string][]
  return Object.fromEntries(
    given.map(([name, value]) => [name, name.endsWith('event') ? value : new Date(value).toISOString()]),
  )
}

function bodyOf(form: FormData): object {
  const chosen = String(form.get('types') ?? '')
  return { url: form.get('url'), types: chosen === '' ? '*' : chosen.split(','), own: form.get('own') !== null }
}
