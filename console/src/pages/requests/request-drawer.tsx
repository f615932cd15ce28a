import { Drawer, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../app/language.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { ButtonLink } from '../../parts/link.tsx'
import { Note } from '../../parts/note.tsx'
import { Reason } from '../../parts/reason.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { DateTime, duration } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { type LoggedRequest, moodOfStatus, pathOf, reasonOf } from './logged-request.ts'
import { UnknownFacility } from './unknown-facility.tsx'
import { requestWords } from './words.ts'

/** Drawer that explains the response to one request. */
export function RequestDrawer({ request, onClose }: { request: LoggedRequest | undefined; onClose(): void }) {
  const words = useWords(requestWords)
  const { close } = useWords(common)
  return (
    <Drawer
      opened={request !== undefined}
      onClose={onClose}
      position="right"
      size={480}
      title={words.details}
      closeButtonProps={{ 'aria-label': close }}
    >
      {request && <Details request={request} />}
    </Drawer>
  )
}

function Details({ request }: { request: LoggedRequest }) {
  const words = useWords(requestWords)
  const { language } = useLanguage()
  const { method, route, facility, area, partner } = request
  const rows: [string, ReactNode][] = [
    [words.partner, partner],
    [words.token, request.token],
    [words.facility, facility],
    [words.area, area],
    [words.code, request.code && <Reason code={request.code} as={reasonOf(request)} />],
    [words.duration, duration(request.duration_ms, language)],
    [words.address, request.address],
    [words.requestId, request.request_id],
  ]
  const path = pathOf(request)
  return (
    <Stack gap="md">
      <div>
        <StateBadge mood={moodOfStatus(request.status)}>{request.status}</StateBadge> <DateTime at={request.at} />
      </div>
      <code style={{ overflowWrap: 'anywhere' }}>{`${method} ${path ?? route ?? ''}`}</code>
      <Explanation request={request} />
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {rows
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th w={150}>{name}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {partner && path !== undefined && (
        <ButtonLink variant="default" to="/access" search={{ partner, method, path }}>
          {words.seeAs}
        </ButtonLink>
      )}
      <Text size="xs" c="dimmed">
        {words.noBodies}
      </Text>
    </Stack>
  )
}

/** Explains a refusal; the text that the partner received can mislead about what exists. */
function Explanation({ request }: { request: LoggedRequest }) {
  const words = useWords(requestWords)
  const { language } = useLanguage()
  const { facility, area, detail } = request
  if (facility !== null && request.facility_exists === false) return <UnknownFacility id={facility} />
  if (area !== null && request.room_exists === false) {
    return (
      <Note mood="warn" title={words.noRoom(area)}>
        {words.noRoomHelp}
      </Note>
    )
  }
  if (facility !== null && area !== null && reasonOf(request) === 'area_not_granted') {
    return (
      <Note mood="warn" title={words.hiddenRoom(area)}>
        {words.hiddenRoomHelp(facility)}
      </Note>
    )
  }
  return detail && <Text size="sm">{faultIn(language, detail)}</Text>
}
