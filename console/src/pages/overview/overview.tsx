import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { Faint } from '../../parts/faint.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Attention } from './attention.tsx'
import classes from './charts.module.css'
import { LatencyLines, RequestBars } from './charts.tsx'
import { type Figures, meanOf, minutesOf } from './figures.ts'
import { Ending, OpenRooms, Partners, Refused } from './lists.tsx'
import { Tiles } from './tiles.tsx'
import { overviewWords } from './words.ts'

const refetchMs = 5000

export function OverviewPage() {
  const words = useWords(overviewWords)
  const { data, error, refetch } = useRead<Figures>('/figures?minutes=60', { refetchMs, keep: true })
  const live = (
    <Text component="span" size="sm" c="dimmed" className={classes.live}>
      <Icon name="live" size={16} /> {words.live}
    </Text>
  )
  return (
    <Page title={words.title} actions={error ? undefined : live}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <Cards figures={data.data} />}
    </Page>
  )
}

function Cards({ figures }: { figures: Figures }) {
  const words = useWords(overviewWords)
  const minutes = minutesOf(figures)
  const isQuiet = figures.requests.length === 0
  return (
    <div className={classes.grid}>
      <Tiles figures={figures} />
      <Card title={words.attention} size="whole">
        <Attention figures={figures} />
      </Card>
      <Card title={words.requests} size="most">
        {isQuiet ? <Faint>{words.noRequests}</Faint> : <RequestBars minutes={minutes} />}
      </Card>
      <Card title={words.byPartner} size="rest">
        {isQuiet ? <Faint>{words.noRequests}</Faint> : <Partners figures={figures} />}
      </Card>
      <Card title={words.latency} size="most">
        {isQuiet ? (
          <Faint>{words.noRequests}</Faint>
        ) : (
          <LatencyLines minutes={minutes} latency={figures.latency} mean={meanOf(figures)} />
        )}
      </Card>
      <Card title={words.refused} size="rest">
        {figures.refused.length === 0 ? <Faint>{words.noRefused}</Faint> : <Refused figures={figures} />}
      </Card>
      <Card title={words.open} size="half">
        {figures.open_rooms.length === 0 ? <Faint>{words.noOpen}</Faint> : <OpenRooms figures={figures} />}
      </Card>
      {figures.ending_soon && (
        <Card title={words.ending} size="half">
          {<Ending ending={figures.ending_soon} count={figures.ending_soon_count ?? null} />}
        </Card>
      )}
    </div>
  )
}

interface CardProps {
  title: string
  size: 'whole' | 'most' | 'rest' | 'half'
  children: ReactNode
}

function Card({ title, size, children }: CardProps) {
  return (
    <section className={`panel ${classes.card}`} data-size={size}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
