import { Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type Answer, segment } from '../../api/client.ts'
import type { Partner } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import form from '../../parts/form.module.css'
import { Removal } from '../../parts/removal.tsx'
import type { PartnerDraft } from './partner-draft.ts'
import { webhookWords } from './webhook-words.ts'
import { partnerWords } from './words.ts'

interface Props {
  answer: Answer<Partner>
  value: PartnerDraft
  onChange(part: Partial<PartnerDraft>): void
}

export function PartnerSettings({ answer, value, onChange }: Props) {
  const words = useWords(partnerWords)
  const hooks = useWords(webhookWords)
  const navigate = useNavigate()
  const { id, name } = answer.data
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
        <Checkbox
          label={hooks.right}
          description={hooks.rightHelp}
          checked={value.webhooks}
          onChange={(event) => onChange({ webhooks: event.currentTarget.checked })}
        />
      </div>
      <Removal
        line={words.removeLine}
        action={words.remove}
        help={words.removeHelp(name)}
        id={id}
        path={`/partners/${segment(id)}`}
        etag={answer.etag}
        list="/partners"
        onRemoved={() => void navigate({ to: '/partners' })}
      />
    </>
  )
}
