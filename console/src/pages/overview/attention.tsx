import { Box, Button } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../app/language.tsx'
import { Faint } from '../../parts/faint.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Ago } from '../../parts/time.tsx'
import classes from './charts.module.css'
import type { Figures, Notice } from './figures.ts'
import { overviewWords } from './words.ts'

const icons: Record<Notice['kind'], IconName> = {
  webhook_disabled: 'warning',
  webhook_failing: 'warning',
  token_expiring: 'key',
  token_overdue: 'key',
  token_unused: 'key',
  many_refused: 'access',
  list_drift: 'requests',
}

const shownInitially = 5

/** Notices that need attention, each with a link to the page where it can be resolved. */
export function Attention({ figures }: { figures: Figures }) {
  const words = useWords(overviewWords)
  const [isWhole, setWhole] = useState(false)
  const { attention: notices, attention_total: total, lists } = figures
  const checking = lists.checked < lists.all && (
    <Box mt={8}>
      <Faint>{words.listsChecked(lists.checked, lists.all)}</Faint>
    </Box>
  )
  if (notices.length === 0) return checking || <Faint>{words.calm}</Faint>
  return (
    <>
      <ul className={classes.list}>
        {notices.slice(0, isWhole ? undefined : shownInitially).map((notice) => (
          <li key={`${notice.kind} ${notice.subject} ${notice.token} ${notice.webhook} ${notice.at}`}>
            <span className={classes.notice}>
              <Icon name={icons[notice.kind]} />
              <span>
                <strong>{subjectOf(notice)}</strong> <Said notice={notice} />
              </span>
            </span>
            <Way notice={notice} />
          </li>
        ))}
      </ul>
      {!isWhole && notices.length > shownInitially && (
        <Button variant="default" size="compact-sm" mt={6} onClick={() => setWhole(true)}>
          {words.showAll(total)}
        </Button>
      )}
      {isWhole && total > notices.length && <Faint>{words.more(total - notices.length)}</Faint>}
      {checking}
    </>
  )
}

function subjectOf({ subject, name }: Notice): string {
  return name === null ? subject : `${name} · ${subject}`
}

function Said({ notice: { kind, token, webhook, count, at } }: { notice: Notice }) {
  const { notices } = useWords(overviewWords)
  if (kind === 'many_refused' || kind === 'list_drift') return notices[kind](count ?? 0)
  return (
    <>
      {notices[kind](webhook?.replace(/^https:\/\//, '') ?? token ?? '')} <Ago at={at} />
    </>
  )
}

function Way({ notice }: { notice: Notice }) {
  const { kind, subject } = notice
  const { review } = useWords(overviewWords)
  const said = { size: 'sm', 'aria-label': `${review}: ${subjectOf(notice)}` } as const
  if (kind === 'many_refused')
    return (
      <TextLink {...said} to="/requests" search={{ partner: subject, status: '403' }}>
        {review}
      </TextLink>
    )
  if (kind === 'list_drift')
    return (
      <TextLink {...said} to="/facilities/$facilityId" params={{ facilityId: subject }} search={{ tab: 'list' }}>
        {review}
      </TextLink>
    )
  return (
    <TextLink
      {...said}
      to="/partners/$partnerId"
      params={{ partnerId: subject }}
      search={{ tab: kind.startsWith('webhook_') ? 'webhooks' : 'tokens' }}
    >
      {review}
    </TextLink>
  )
}
