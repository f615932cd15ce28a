import { segment } from '../../api/client.ts'
import type { Partner } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import { type Draft, same } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { useLossQuestion } from './confirm-loss.tsx'
import { GrantsMatrix } from './grants-matrix.tsx'
import type { PartnerDraft } from './partner-draft.ts'
import { Rehearsal } from './rehearsal.tsx'
import { partnerWords } from './words.ts'

interface Props {
  partner: Partner
  draft: Draft<Pick<PartnerDraft, 'grants'>>
  readOnly: boolean
}

/** Saves added permissions at once; before permissions are removed, shows which past requests would have been refused. */
export function RightsTab({ partner, draft, readOnly }: Props) {
  const words = useWords(partnerWords)
  const path = `/partners/${segment(partner.id)}`
  const saving = useSave<Partner>('PATCH', path, ['/partners'], draft)
  const { ask, question } = useLossQuestion('save')
  const errors = useFieldErrors(saving.error)
  const { grants } = draft.value
  const askBefore = (before: Partner, proceed: () => void) =>
    ask([{ partner: partner.id, before, after: { grants } }], proceed)
  const labels = Object.fromEntries(
    grants.flatMap(({ facilities }, at) => [
      [`/grants/${at}`, words.grantNumber(at + 1)],
      ...[...facilities].map((id, of) => [`/grants/${at}/facilities/${of}`, words.grantFacility(at + 1, id)]),
    ]),
  )
  return (
    <>
      <GrantsMatrix
        grants={grants}
        errors={errors}
        onChange={(next) => draft.change({ grants: next })}
        readOnly={readOnly}
      />
      {!readOnly && !same(grants, partner.grants) && <Rehearsal partner={partner.id} draft={{ grants }} />}
      <SaveBar
        draft={draft}
        saving={saving}
        labels={{ ...labels, '/grants': words.grants }}
        isGuarded
        onSave={() => askBefore(partner, () => saving.save({ grants }))}
        onOverwrite={askBefore}
      />
      {question}
    </>
  )
}
