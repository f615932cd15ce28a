import { List, Stack, Text, Title } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type LostAccess, lostAccess } from '../../../../src/domain/access/grant-difference.ts'
import { segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Grant, Partner } from '../../api/types.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { AccessLine } from '../../changes/access-line.tsx'
import { changeWords } from '../../changes/change-words.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Impact, type RightsDraft, useImpact } from './impact.tsx'

const lossWords = defineWords(
  {
    title: 'Remove permissions?',
    actions: { save: 'Remove and save', apply: 'Remove and apply', undo: 'Remove and undo the change' },
    all: 'This partner would lose all permissions and no longer see anything.',
    removed: 'This partner would be removed, with its tokens and webhooks.',
    intro: 'The partner would lose:',
    webhooks:
      'The partner can no longer list, add or edit its own webhooks. Existing ones keep running; disable them under Webhooks.',
    more: (count: number) =>
      count === 1 ? '1 more partner would lose permissions.' : `${count} more partners would lose permissions.`,
  },
  {
    title: 'Retirer des autorisations ?',
    actions: {
      save: 'Retirer et enregistrer',
      apply: 'Retirer et appliquer',
      undo: 'Retirer et annuler la modification',
    },
    all: 'Ce partenaire perdrait toutes ses autorisations et ne verrait plus rien.',
    removed: 'Ce partenaire serait supprimé, avec ses jetons et ses webhooks.',
    intro: 'Le partenaire perdrait :',
    webhooks:
      'Le partenaire ne pourra plus voir, ajouter ni modifier ses webhooks. Ceux qui existent restent actifs ; désactivez-les sous Webhooks.',
    more: (count: number) =>
      count === 1
        ? 'Un autre partenaire perdrait des autorisations.'
        : `${count} autres partenaires perdraient des autorisations.`,
  },
)

/** A change of a partner's permissions; what is left out stays as it is. Before its removal, a partner has `all`. */
export interface RightsChange {
  partner: string
  before: Partial<RightsDraft> | 'all'
  after: Partial<RightsDraft>
}

interface Question {
  losing: RightsChange[]
  proceed(): void
}

/**
 * Asks before partners lose permissions. `ask` proceeds at once if none does; the page renders `question`. The action
 * names what is confirmed.
 */
export function useLossQuestion(action: keyof typeof lossWords.en.actions): {
  ask(changes: RightsChange[], proceed: () => void): void
  question: ReactNode
} {
  const [asked, setAsked] = useState<Question>()
  return {
    ask: (changes, proceed) => {
      const losing = changes.filter(isLoss)
      if (losing.length === 0) proceed()
      else setAsked({ losing, proceed })
    },
    question: <ConfirmLoss asked={asked} action={action} onClose={() => setAsked(undefined)} />,
  }
}

const isLoss = (change: RightsChange) => lostGrants(change).length > 0 || losesWebhooks(change)

function lostGrants({ before, after }: RightsChange): LostAccess[] {
  if (before === 'all') return lostAccess(everything, [])
  return after.grants === undefined ? [] : lostAccess(before.grants ?? [], after.grants)
}

const everything: Grant[] = [{ facilities: '*', read: '*', write: '*', rooms: '*' }]

function losesWebhooks({ before, after }: RightsChange): boolean {
  return before !== 'all' && before.webhooks === true && after.webhooks === false
}

const maxPartners = 5
const maxGroups = 12
/** First parts of the keys of the queries that the question waits for. */
const checks: unknown[] = ['partners', 'rehearsal']

interface Props {
  asked: Question | undefined
  action: keyof typeof lossWords.en.actions
  onClose(): void
}

/** Confirms the removal of permissions, with the recent requests that would have been refused. */
function ConfirmLoss({ asked, action, onClose }: Props) {
  const words = useWords(lossWords)
  const isChecking = useIsFetching({ predicate: ({ queryKey: [first] }) => checks.includes(first) }) > 0
  const losing = asked?.losing ?? []
  return (
    <Confirm
      opened={asked !== undefined}
      size="xl"
      title={words.title}
      action={words.actions[action]}
      isDisabled={isChecking}
      onClose={onClose}
      onConfirm={() => {
        onClose()
        asked?.proceed()
      }}
    >
      <Stack gap="md">
        {losing.slice(0, maxPartners).map((change) => (
          <PartnerLoss key={change.partner} change={change} isNamed={action !== 'save'} />
        ))}
        {losing.length > maxPartners && words.more(losing.length - maxPartners)}
      </Stack>
    </Confirm>
  )
}

function PartnerLoss({ change, isNamed }: { change: RightsChange; isNamed: boolean }) {
  const { partner, before, after } = change
  const words = useWords(lossWords)
  const changes = useWords(changeWords)
  const { data } = useRead<Partner>(`/partners/${segment(partner)}`)
  const { grants, webhooks, name } = data?.data ?? {}
  const draft = { webhooks, ...after, grants: after.grants ?? grants ?? [] }
  const impact = useImpact(partner, draft, data !== undefined)
  const lost = lostGrants(change)
  return (
    <section>
      {isNamed && (
        <Title order={3} size="h5" mb={4}>
          {name === undefined ? partner : `${name} · ${partner}`}
        </Title>
      )}
      {after.grants?.length === 0 && lost.length > 0 ? (
        <Text size="sm" fw={600} mb="sm">
          {before === 'all' ? words.removed : words.all}
        </Text>
      ) : (
        lost.length > 0 && (
          <>
            <Text size="sm">{words.intro}</Text>
            <List listStyleType="none" size="sm" mb="sm">
              {lost.slice(0, maxGroups).map((group) => (
                <AccessLine key={group.facilities?.[0] ?? ''} sign="−" group={group} />
              ))}
              {lost.length > maxGroups && <List.Item>{changes.more(lost.length - maxGroups)}</List.Item>}
            </List>
          </>
        )
      )}
      {losesWebhooks(change) && (
        <Text size="sm" mb="sm">
          {words.webhooks}
        </Text>
      )}
      <Impact impact={impact} />
    </section>
  )
}
