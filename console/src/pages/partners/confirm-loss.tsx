import type { ReactNode } from 'react'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Impact, type RightsDraft, useImpact } from './impact.tsx'

const lossWords = defineWords(
  { title: 'Remove permissions?', save: 'Remove and save' },
  { title: 'Retirer des autorisations ?', save: 'Retirer et enregistrer' },
)

interface Props {
  opened: boolean
  partner: string
  draft: RightsDraft
  /** Removed permissions. */
  children: ReactNode
  onConfirm(): void
  onClose(): void
}

/** Confirms the removal of permissions, with the recent requests that would have been refused. */
export function ConfirmLoss({ opened, partner, draft, children, onConfirm, onClose }: Props) {
  const words = useWords(lossWords)
  const impact = useImpact(partner, draft, opened)
  return (
    <Confirm
      opened={opened}
      size="xl"
      title={words.title}
      action={words.save}
      isDisabled={impact.isFetching}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {children}
      <Impact impact={impact} />
    </Confirm>
  )
}
