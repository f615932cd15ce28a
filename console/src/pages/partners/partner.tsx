import { Badge, Tabs, Text } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ApiResponse, segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Partner, Webhook } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { ButtonLink, TextLink } from '../../parts/link.tsx'
import { AbsentPage, Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { LeaveGuard } from '../../parts/save-bar.tsx'
import { draftPart, useDraft } from '../../parts/use-draft.ts'
import { ContractTab } from './contract-tab.tsx'
import { EffectiveAccess } from './effective-access.tsx'
import type { PartnerDraft } from './partner-draft.ts'
import { PartnerSettings } from './partner-settings.tsx'
import { RightsTab } from './rights-tab.tsx'
import { SandboxTab } from './sandbox.tsx'
import { Tokens } from './tokens.tsx'
import { webhookWords } from './webhook-words.ts'
import { Webhooks } from './webhooks.tsx'
import { partnerWords } from './words.ts'

export function PartnerPage() {
  const words = useWords(partnerWords)
  const { partnerId } = useParams({ from: '/signed-in/partners/$partnerId' })
  const { data, error } = useRead<Partner>(`/partners/${segment(partnerId)}`)
  const above = (
    <>
      <TextLink to="/partners" size="sm">
        {words.title}
      </TextLink>{' '}
      / <code>{partnerId}</code>
    </>
  )
  if (error?.code === 'partner_not_found') {
    const back = <ButtonLink to="/partners">{words.everyone}</ButtonLink>
    return (
      <AbsentPage title={words.absent} above={above} action={back}>
        {words.absentHelp(partnerId)}
      </AbsentPage>
    )
  }
  return (
    <Page title={data?.data.name ?? partnerId} above={above}>
      {error && <ProblemNote error={error} />}
      {data && <Editor key={partnerId} response={data} />}
    </Page>
  )
}

const allTabs = ['rights', 'effective', 'contract', 'tokens', 'webhooks', 'sandbox', 'settings'] as const
const forAdmins: readonly string[] = ['tokens', 'settings']

function Editor({ response }: { response: ApiResponse<Partner> }) {
  const words = useWords(partnerWords)
  const mayEdit = useMay('admin')
  const { tab } = useSearch({ from: '/signed-in/partners/$partnerId' })
  const navigate = useNavigate({ from: '/partners/$partnerId' })
  const partner = response.data
  const base = useMemo(() => draftOf(partner), [partner])
  const path = `/partners/${segment(partner.id)}`
  const draft = useDraft<PartnerDraft>(path, base, response.etag)
  const part = <K extends keyof PartnerDraft>(...names: K[]) => draftPart(draft, base, names)
  const parts = {
    rights: part('grants'),
    contract: part('contract'),
    settings: part('name', 'rate_limit', 'webhooks'),
  }
  const tabs = allTabs.filter((name) => mayEdit || !forAdmins.includes(name))
  const shown = tabs.find((name) => name === tab) ?? 'rights'
  return (
    <Tabs
      value={shown}
      onChange={(next) => void navigate({ search: next === 'rights' || next === null ? {} : { tab: next } })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            rightSection={name === 'webhooks' && <WebhookTrouble partner={partner.id} />}
          >
            {words[name]} {name in parts && parts[name as keyof typeof parts].isDirty && <Unsaved />}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>
        {!mayEdit && (
          <Text size="sm" c="dimmed" mb="sm">
            {words.adminOnly}
          </Text>
        )}
        {shown === 'rights' && <RightsTab partner={partner} draft={parts.rights} readOnly={!mayEdit} />}
        {shown === 'effective' && <EffectiveAccess partner={partner.id} />}
        {shown === 'contract' && <ContractTab partner={partner} draft={parts.contract} readOnly={!mayEdit} />}
        {shown === 'tokens' && <Tokens partner={partner.id} />}
        {shown === 'webhooks' && <Webhooks partner={partner.id} />}
        {shown === 'sandbox' && <SandboxTab partner={partner.id} />}
        {shown === 'settings' && <PartnerSettings response={response} draft={parts.settings} />}
      </Tabs.Panel>
      <LeaveGuard draft={draft} />
    </Tabs>
  )
}

function draftOf({ name, rate_limit, webhooks, contract, grants }: Partner): PartnerDraft {
  return { name, rate_limit, webhooks, contract: contract === null ? '' : JSON.stringify(contract, null, 2), grants }
}

/** Number of failing or disabled webhooks. */
function WebhookTrouble({ partner }: { partner: string }) {
  const { trouble } = useWords(webhookWords)
  const { data } = useRead<Webhook[]>(`/partners/${segment(partner)}/webhooks`)
  const count = (state: Webhook['state']) => (data?.data ?? []).filter((one) => one.state === state).length
  const [failing, disabled] = [count('failing'), count('disabled')]
  if (failing + disabled === 0) return null
  const said = trouble(failing, disabled)
  return (
    <Badge size="sm" variant="light" color="orange" title={said} aria-label={said}>
      {failing + disabled}
    </Badge>
  )
}

/** Mark of a tab with unsaved changes. */
function Unsaved() {
  const words = useWords(partnerWords)
  return (
    <Text component="span" c="var(--warn)" lh={1} ml={4} role="img" aria-label={words.unsaved} title={words.unsaved}>
      •
    </Text>
  )
}
