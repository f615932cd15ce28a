import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { type Answer, segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Partner } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import form from '../../parts/form.module.css'
import type { PartnerDraft } from './partner-draft.ts'
import { partnerWords } from './words.ts'

interface Props {
  answer: Answer<Partner>
  value: PartnerDraft
  onChange(part: Partial<PartnerDraft>): void
}

export function PartnerSettings({ answer, value, onChange }: Props) {
  const words = useWords(partnerWords)
  const navigate = useNavigate()
  const [asking, dialog] = useDisclosure(false)
  const { id, name } = answer.data
  const remove = useChange(['/partners'], () => void navigate({ to: '/partners' }))
  return (
    <>
      <div className={form.form}>
        <TextInput
          label={words.name}
          required
          value={value.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.rateLimit}
          description={words.rateHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.rate_limit ?? ''}
          onChange={(event) => onChange({ rate_limit: event.currentTarget.value || null })}
        />
      </div>
      <div className={`panel ${form.danger}`}>
        <Text size="sm">{words.removeLine}</Text>
        <Button variant="default" c="var(--bad)" onClick={dialog.open}>
          {words.remove}
        </Button>
        <Confirm
          opened={asking}
          title={words.remove}
          action={words.remove}
          typed={id}
          isPending={remove.isPending}
          error={remove.error}
          onClose={dialog.close}
          onConfirm={() => remove.mutate({ method: 'DELETE', path: `/partners/${segment(id)}`, ifMatch: answer.etag })}
        >
          {words.removeHelp(name)}
        </Confirm>
      </div>
    </>
  )
}
