import { segment } from '../../api/client.ts'
import type { Partner } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { SaveBar } from '../../parts/save-bar.tsx'
import type { Draft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { Contract, parsedContract } from './contract.tsx'
import type { PartnerDraft } from './partner-draft.ts'
import { partnerWords } from './words.ts'

interface Props {
  partner: Partner
  draft: Draft<Pick<PartnerDraft, 'contract'>>
  readOnly: boolean
}

export function ContractTab({ partner, draft, readOnly }: Props) {
  const words = useWords(partnerWords)
  const { contract: text } = draft.before
  const before = text === undefined ? {} : { contract: parsedContract(text) }
  const path = `/partners/${segment(partner.id)}`
  const saving = useSave<Partner>('PATCH', path, ['/partners'], { ...draft, before })
  const errors = useFieldErrors(saving.error)
  const { contract } = draft.value
  return (
    <>
      <Contract
        text={contract}
        error={errors.at('/contract')}
        onChange={(next) => draft.change({ contract: next })}
        readOnly={readOnly}
      />
      <SaveBar
        draft={draft}
        saving={saving}
        labels={{ '/contract': words.contract }}
        isGuarded
        onSave={() => saving.save({ contract: parsedContract(contract) })}
      />
    </>
  )
}
