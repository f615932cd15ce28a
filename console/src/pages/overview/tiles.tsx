import type { ReactNode } from 'react'
import { useLanguage, useWords } from '../../app/language.tsx'
import classes from './charts.module.css'
import { type Figures, kindOf, meanOf } from './figures.ts'
import { overviewWords } from './words.ts'

/** Key metrics of the installation. */
export function Tiles({ figures }: { figures: Figures }) {
  const { requests, rooms } = figures
  const words = useWords(overviewWords)
  const { language } = useLanguage()
  const count = (value: number) => value.toLocaleString(language)
  const sum = (kinds: string[]) =>
    requests.filter(({ status }) => kinds.includes(kindOf(status))).reduce((total, one) => total + one.count, 0)
  const total = sum(['ok', 'refused', 'failed'])
  const share = (part: number) =>
    (total === 0 ? 0 : part / total).toLocaleString(language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <dl className={classes.tiles}>
      <Tile name={words.tileRequests} note={words.lastHour}>
        {count(total)}
      </Tile>
      <Tile name={words.tileRefused} note={share(sum(['refused']))}>
        {count(sum(['refused']))}
      </Tile>
      <Tile name={words.tileFailed} note={share(sum(['failed']))} isBad={sum(['failed']) > 0}>
        {count(sum(['failed']))}
      </Tile>
      <Tile name={words.tileLatency} note={words.lastHour}>
        {total === 0 ? '–' : `${meanOf(figures).toLocaleString(language, { maximumFractionDigits: 1 })} ms`}
      </Tile>
      <Tile name={words.open} note={words.ofRooms(rooms.areas)}>
        {count(rooms.open)}
      </Tile>
    </dl>
  )
}

function Tile({ name, note, isBad, children }: { name: string; note: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className={`panel ${classes.tile}`}>
      <dt>{name}</dt>
      <dd>
        <strong data-bad={isBad ? '' : undefined}>{children}</strong> <small>{note}</small>
      </dd>
    </div>
  )
}
