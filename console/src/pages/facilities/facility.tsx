import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ApiResponse, segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { ButtonLink, TextLink } from '../../parts/link.tsx'
import { AbsentPage, Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { moodOf, StateBadge } from '../../parts/state-badge.tsx'
import { AuditTable } from '../audit/table.tsx'
import { Devices } from './devices.tsx'
import { FacilitySettings } from './facility-settings.tsx'
import { ListEditor } from './list-editor.tsx'
import { Rooms } from './rooms.tsx'
import { facilityWords } from './words.ts'

const tabs = ['rooms', 'list', 'devices', 'history', 'settings'] as const

export function FacilityPage() {
  const words = useWords(facilityWords)
  const { facilityId } = useParams({ from: '/signed-in/facilities/$facilityId' })
  const { data, error, refetch } = useRead<Facility>(`/facilities/${segment(facilityId)}`)
  const facility = data?.data
  const above = (
    <>
      <TextLink to="/facilities" size="sm">
        {words.title}
      </TextLink>{' '}
      / <code>{facilityId}</code>
    </>
  )
  const state = facility && (
    <StateBadge mood={moodOf(facility.status)}>{words.status[facility.status] ?? facility.status}</StateBadge>
  )
  if (error?.code === 'facility_not_found') {
    const back = <ButtonLink to="/facilities">{words.all}</ButtonLink>
    return (
      <AbsentPage title={words.absent} above={above} action={back}>
        {words.absentHelp(facilityId)}
      </AbsentPage>
    )
  }
  return (
    <Page title={facility?.name ?? facilityId} above={above} actions={state}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <FacilityTabs response={data} />}
    </Page>
  )
}

function FacilityTabs({ response }: { response: ApiResponse<Facility> }) {
  const words = useWords(facilityWords)
  const { language } = useLanguage()
  const { tab } = useSearch({ from: '/signed-in/facilities/$facilityId' })
  const navigate = useNavigate({ from: '/facilities/$facilityId' })
  const facility = response.data
  const counts = { rooms: facility.areas_count, list: facility.list_count, devices: facility.devices_count }
  const shown = tabs.find((one) => one === tab) ?? 'rooms'
  return (
    <Tabs
      value={shown}
      onChange={(next) => void navigate({ search: next === 'rooms' || next === null ? {} : { tab: next } })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {words[name]}{' '}
            {name in counts && <small>{counts[name as keyof typeof counts].toLocaleString(language)}</small>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown}>
        {shown === 'rooms' && <Rooms facility={facility} />}
        {shown === 'list' && <ListEditor facility={facility} />}
        {shown === 'devices' && <Devices facility={facility} />}
        {shown === 'history' && <AuditTable path={`/facilities/${segment(facility.id_external)}/history`} />}
        {shown === 'settings' && <FacilitySettings response={response} />}
      </Tabs.Panel>
    </Tabs>
  )
}
