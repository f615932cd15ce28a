import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import classes from './charts.module.css'
import { LatencyLines, RequestBars, sum } from './charts.tsx'
import { type Figures, minutesOf } from './figures.ts'
import { overviewWords } from './words.ts'

const refetchMs = 5000

export function OverviewPage() {
  const words = useWords(overviewWords)
  const { data, error, refetch } = useRead<Figures>('/figures?minutes=60', { refetchMs, keep: true })
  return (
    <Page title={words.title}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <Cards figures={data.data} />}
    </Page>
  )
}

function Cards({ figures }: { figures: Figures }) {
  const words = useWords(overviewWords)
  const minutes = minutesOf(figures)
  const total = sum(minutes, 'ok') + sum(minutes, 'refusedShort') + sum(minutes, 'failed')
  return (
    <div className={classes.grid}>
      <Card title={words.attention} wide>
        <Attention figures={figures} />
      </Card>
      <Card title={words.requests} note={words.total(total)}>
        {total === 0 ? <Quiet>{words.noRequests}</Quiet> : <RequestBars minutes={minutes} />}
      </Card>
      <Card title={words.latency}>
        {figures.latency.length === 0 ? <Quiet>{words.noRequests}</Quiet> : <LatencyLines latency={figures.latency} />}
      </Card>
      <Card title={words.open}>
        <OpenRooms figures={figures} />
      </Card>
      <Card title={words.refused}>
        <Refused figures={figures} />
      </Card>
      {figures.ending_soon && (
        <Card title={words.ending} wide>
          <Ending ending={figures.ending_soon} />
        </Card>
      )}
    </div>
  )
}

function Card({ title, note, wide, children }: { title: string; note?: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={`panel ${classes.card} ${wide ? classes.wide : ''}`}>
      <h2>
        {title} {note && <small>{note}</small>}
      </h2>
      {children}
    </section>
  )
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function Attention({ figures: { attention } }: { figures: Figures }) {
  const words = useWords(overviewWords)
  if (attention.length === 0) return <Quiet>{words.calm}</Quiet>
  return (
    <ul className={classes.list}>
      {attention.slice(0, 20).map(({ kind, subject, detail, link }) => (
        <li key={`${kind} ${subject}`}>
          <span>
            <StateBadge mood="warn">{subject}</StateBadge> {detail}
          </span>
          {link?.startsWith('/console/') && (
            <TextLink to={link.slice('/console'.length)} size="sm" aria-label={`${words.look}: ${subject}`}>
              {words.look}
            </TextLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function OpenRooms({ figures: { open_rooms: rooms } }: { figures: Figures }) {
  return (
    <ul className={classes.list}>
      {rooms.slice(0, 10).map(({ facility, name, open, areas }) => (
        <li key={facility}>
          <TextLink to="/facilities/$facilityId" params={{ facilityId: facility }} search={{ view: 'grid' }} size="sm">
            {name}
          </TextLink>
          <span>
            {open} / {areas}
          </span>
          <svg className={classes.meter} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect className={classes.ok} width={areas === 0 ? 0 : (open / areas) * 100} height="6" />
          </svg>
        </li>
      ))}
    </ul>
  )
}

function Refused({ figures: { refused } }: { figures: Figures }) {
  const words = useWords(overviewWords)
  if (refused.length === 0) return <Quiet>{words.noRefused}</Quiet>
  return (
    <ul className={classes.list}>
      {refused.slice(0, 10).map(({ partner, code, count }) => (
        <li key={`${partner} ${code}`}>
          <TextLink to="/requests" search={{ ...(partner !== null && { partner }), status: '4xx' }} size="sm">
            {partner ?? '—'} · {code}
          </TextLink>
          <span>{count}</span>
        </li>
      ))}
    </ul>
  )
}

function Ending({ ending }: { ending: NonNullable<Figures['ending_soon']> }) {
  const words = useWords(overviewWords)
  if (ending.length === 0) return <Quiet>{words.noEnding}</Quiet>
  return (
    <ul className={classes.list}>
      {ending.slice(0, 20).map(({ facility, area, code, end }) => (
        <li key={`${area} ${code} ${end}`}>
          <span>
            <code>{area}</code> {code}{' '}
            <Text component="span" c="dimmed" size="sm">
              {facility}
            </Text>
          </span>
          <Ago at={end} />
        </li>
      ))}
    </ul>
  )
}
