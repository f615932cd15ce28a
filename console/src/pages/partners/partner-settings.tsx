import { Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ApiResponse, segment } from '../../api/client.ts'
import type { Partner } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import form from '../../parts/form.module.css'
import { Removal } from '../../parts/removal.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { changedIn, type Draft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { useLossQuestion } from './confirm-loss.tsx'
import { Impact, useImpact } from './impact.tsx'
import type { PartnerDraft } from './partner-draft.ts'
import { webhookWords } from './webhook-words.ts'
import { partnerWords } from './words.ts'

interface Props {
  response: ApiResponse<Partner>
  draft: Draft<Pick<PartnerDraft, 'name' | 'rate_limit' | 'webhooks'>>
}

export function PartnerSettings({ response, draft }: Props) {
  const words = useWords(partnerWords)
  const hooks = useWords(webhookWords)
  const navigate = useNavigate()
  const { id, name } = response.data
  const path = `/partners/${segment(id)}`
  const saving = useSave<Partner>('PATCH', path, ['/partners'], draft)
  const errors = useFieldErrors(saving.error)
  const { value, change } = draft
  const { ask, question } = useLossQuestion('save')
  const changed = changedIn(value, response.data, ['name', 'rate_limit', 'webhooks'])
  const askBefore = ({ webhooks }: Partner, proceed: () => void) =>
    ask([{ partner: id, before: { webhooks }, after: { webhooks: value.webhooks } }], proceed)
  return (
    <>
      <div className={form.form}>
        <TextInput
          label={words.name}
          required
          value={value.name}
          error={errors.at('/name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.rateLimit}
          description={words.rateHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value.rate_limit ?? ''}
          error={errors.at('/rate_limit')}
          onChange={(event) => change({ rate_limit: event.currentTarget.value || null })}
        />
        <Checkbox
          label={hooks.right}
          description={hooks.rightHelp}
          checked={value.webhooks}
          onChange={(event) => change({ webhooks: event.currentTarget.checked })}
        />
      </div>
      <SaveBar
        draft={draft}
        saving={saving}
        labels={{ '/name': words.name, '/rate_limit': words.rateLimit, '/webhooks': hooks.right }}
        isGuarded
        onSave={() => askBefore(response.data, () => saving.save(changed))}
        onOverwrite={askBefore}
      />
      {question}
      <Removal
        line={words.removeLine}
        action={words.remove}
        help={words.removeHelp(name)}
        more={<RemovalImpact partner={id} />}
        id={id}
        path={path}
        etag={response.etag}
        list="/partners"
        onRemoved={() => void navigate({ to: '/partners' })}
      />
    </>
  )
}

function RemovalImpact({ partner }: { partner: string }) {
  return <Impact impact={useImpact(partner, { grants: [], webhooks: false }, true)} />
}
