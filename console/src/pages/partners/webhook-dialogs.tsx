import { Checkbox, MultiSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import type { EventType, Webhook } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Secret } from '../../parts/secret.tsx'
import { WebhookLog } from './webhook-log.tsx'
import { webhookWords } from './webhook-words.ts'

export type WebhookStep = { step: 'create' } | { step: 'log' | 'rotate' | 'remove'; row: Webhook }

/** All of them: one that is missing here, or too many, does not compile. */
const types = Object.keys({
  'facility.created': true,
  'facility.updated': true,
  'facility.removed': true,
  'autocomplete_list.replaced': true,
  'areas.changed': true,
  'area.opened': true,
  'area.closed': true,
  'services.added': true,
  'service.deleted': true,
  'service.started': true,
  'service.ending': true,
  'service.ended': true,
} satisfies Record<EventType, true>)

interface Props {
  asked: WebhookStep | undefined
  list: string
  onDone(): void
}

/** The questions of each step; a new secret is shown once. */
export function WebhookDialogs({ asked, list, onDone }: Props) {
  const words = useWords(webhookWords)
  const [secret, setSecret] = useState<string>()
  const change = useChange<{ secret?: string }>([list], ({ data }) => {
    setSecret(data.secret)
    onDone()
  })
  const close = () => {
    change.reset()
    onDone()
  }
  const row = asked && asked.step !== 'create' ? asked.row : undefined
  const path = `${list}/${row?.id}`
  return (
    <>
      <FormDialog
        opened={asked?.step === 'create'}
        title={words.add}
        action={words.create}
        change={change}
        onClose={close}
        onSubmit={(form) => change.mutate({ method: 'POST', path: list, body: bodyOf(form) })}
      >
        <Fields />
      </FormDialog>
      <FormDialog
        opened={asked?.step === 'rotate'}
        title={words.rotate}
        action={words.rotate}
        change={change}
        onClose={close}
        onSubmit={() => change.mutate({ method: 'POST', path: `${path}/rotate`, body: {} })}
      >
        <Text size="sm">{words.rotateHelp}</Text>
      </FormDialog>
      <Confirm
        opened={asked?.step === 'remove'}
        title={words.remove}
        action={words.remove}
        isPending={change.isPending}
        error={change.error}
        onClose={close}
        onConfirm={() => change.mutate({ method: 'DELETE', path })}
      >
        {words.removeHelp(row?.url ?? '')}
      </Confirm>
      <WebhookLog row={asked?.step === 'log' ? row : undefined} path={path} onClose={close} />
      <Secret title={words.secretTitle} secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

function Fields() {
  const words = useWords(webhookWords)
  return (
    <>
      <TextInput label={words.url} description={words.urlHelp} name="url" type="url" required data-autofocus />
      <MultiSelect label={words.types} description={words.typesHelp} name="types" data={types} clearable />
      <Checkbox label={words.own} name="own" />
    </>
  )
}

function bodyOf(form: FormData): object {
  const chosen = String(form.get('types') ?? '')
  return { url: form.get('url'), types: chosen === '' ? '*' : chosen.split(','), own: form.get('own') !== null }
}
