import { Text } from '@mantine/core'
import { useLanguage, useWords } from '../../app/language.tsx'
import { Faint } from '../../parts/faint.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Ago } from '../../parts/time.tsx'
import classes from './charts.module.css'
import { type Figures, type Kind, partnersOf } from './figures.ts'
import { overviewWords } from './words.ts'

const maxShown = 8
/** The partners that the service counts individually: eight, and one row for all others. */
const maxPartners = 9

/** Partners by number of requests, with the share of each kind of response. */
export function Partners({ figures }: { figures: Figures }) {
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  const partners = partnersOf(figures)
  const most = Math.max(...partners.map(({ total }) => total))
  return (
    <ul className={classes.list}>
      {partners.slice(0, maxPartners).map(({ partner, total, ...kinds }) => (
        <li key={partner}>
          <PartnerName partner={partner} />
          <span aria-hidden="true">{total.toLocaleString(language)}</span>
          <span className="visually-hidden">{words.partnerRequests(total, kinds.refused, kinds.failed)}</span>
          <Meter parts={kinds} whole={most} />
        </li>
      ))}
    </ul>
  )
}

function PartnerName({ partner }: { partner: string | null }) {
  const words = useWords(overviewWords)
  if (partner === null || partner === '*') return <span>{partner === null ? words.noToken : words.others}</span>
  return (
    <TextLink to="/requests" search={{ partner }} size="sm" className="clip">
      {partner}
    </TextLink>
  )
}

function Meter({ parts, whole }: { parts: Record<Kind, number>; whole: number }) {
  const share = (count: number) => (whole === 0 ? 0 : (count / whole) * 100)
  const refusedFrom = share(parts.ok)
  return (
    <svg className={classes.meter} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className={classes.ok} width={refusedFrom} height="6" />
      <rect className={classes.refused} x={refusedFrom} width={share(parts.refused)} height="6" />
      <rect className={classes.failed} x={refusedFrom + share(parts.refused)} width={share(parts.failed)} height="6" />
    </svg>
  )
}

export function Refused({ figures: { refused, refused_total: total } }: { figures: Figures }) {
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  return (
    <>
      <ul className={classes.list}>
        {refused.slice(0, maxShown).map(({ partner, code, count }) => (
          <li key={`${partner} ${code}`}>
            <TextLink to="/requests" search={{ ...(partner !== null && { partner }), status: '4xx' }} size="sm">
              {partner ?? words.noToken}{' '}
              <Text component="span" size="xs" c="dimmed">
                <Reason code={code} />
              </Text>
            </TextLink>
            <span>{count.toLocaleString(language)}</span>
          </li>
        ))}
      </ul>
      <More left={total - maxShown} />
    </>
  )
}

/** Shows how many rows the list leaves out. */
function More({ left }: { left: number }) {
  const words = useWords(overviewWords)
  if (left <= 0) return null
  return (
    <Text size="sm" c="dimmed" mt={6}>
      {words.more(left)}
    </Text>
  )
}

export function OpenRooms({ figures: { open_rooms: most, rooms } }: { figures: Figures }) {
  const { language } = useLanguage()
  return (
    <>
      <ul className={classes.list}>
        {most.slice(0, maxShown).map(({ facility, name, open, areas }) => (
          <li key={facility}>
            <TextLink
              to="/facilities/$facilityId"
              params={{ facilityId: facility }}
              search={{ view: 'grid' }}
              size="sm"
              className="clip"
            >
              {`${name} · ${facility}`}
            </TextLink>
            <span>
              {open.toLocaleString(language)} / {areas.toLocaleString(language)}
            </span>
            <Meter parts={{ ok: open, refused: 0, failed: 0 }} whole={areas} />
          </li>
        ))}
      </ul>
      <More left={rooms.facilities_open - maxShown} />
    </>
  )
}

interface EndingProps {
  ending: NonNullable<Figures['ending_soon']>
  /** The number of all services; null when there are too many to count. */
  count: number | null
}

export function Ending({ ending, count }: EndingProps) {
  const words = useWords(overviewWords)
  if (ending.length === 0) return <Faint>{count === null ? words.manyEnding : words.noEnding}</Faint>
  return (
    <>
      <ul className={classes.list}>
        {ending.slice(0, maxShown).map(({ facility, area, code, end }) => (
          <li key={`${area} ${code} ${end}`}>
            <span className="clip">
              <TextLink
                to="/facilities/$facilityId"
                params={{ facilityId: facility }}
                search={{ room: area.slice(facility.length + 1) }}
                size="sm"
              >
                {area}
              </TextLink>{' '}
              <Text component="span" size="sm" c="dimmed">
                {code}
              </Text>
            </span>
            <Ago at={end} />
          </li>
        ))}
      </ul>
      {count === null ? (
        <Text size="sm" c="dimmed" mt={6}>
          {words.manyMore}
        </Text>
      ) : (
        <More left={count - maxShown} />
      )}
    </>
  )
}
